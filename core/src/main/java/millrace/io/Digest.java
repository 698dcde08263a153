package millrace.io;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import millrace.fault.Fault;

/// A SHA-256 of all that is added, cut to as much as its user needs. It is asked for once. One
/// thread.
public final class Digest {

  private static final int HEX_BYTES = 16;

  private final MessageDigest digest;

  /// Of nothing yet.
  public Digest() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new Fault.Bug("every Java has SHA-256", e);
    }
  }

  /// Of a text.
  public static Digest of(String text) {
    return new Digest().add(text.getBytes(StandardCharsets.UTF_8));
  }

  /// Adds bytes.
  public Digest add(byte[] bytes) {
    digest.update(bytes);
    return this;
  }

  /// Adds a part of an array.
  public Digest add(byte[] bytes, int start, int length) {
    digest.update(bytes, start, length);
    return this;
  }

  /// Adds what remains in the buffer.
  public Digest add(ByteBuffer bytes) {
    digest.update(bytes);
    return this;
  }

  /// Its first 16 bytes as 32 letters.
  public String hex() {
    return HexFormat.of().formatHex(digest.digest(), 0, HEX_BYTES);
  }

  /// Its first 64 bits.
  public long number() {
    return ByteBuffer.wrap(digest.digest()).getLong();
  }
}
