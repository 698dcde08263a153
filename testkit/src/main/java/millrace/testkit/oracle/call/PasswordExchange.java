package millrace.testkit.oracle.call;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// How client and server prove to each other that they know a password, with the verifier of 12c.
///
/// The server sends a random key, encrypted with a hash of the password; the client answers with
/// one of its own; both together encrypt the password and the server's answer.
final class PasswordExchange {

  /// The kind of verifier, as a flag of AUTH_VFR_DATA.
  static final int VERIFIER_12C = 0x4815;

  static final int VERIFIER_ROUNDS = 4096;
  static final int SESSION_ROUNDS = 3;

  private static final int KEY_BYTES = 32;
  private static final int BLOCK = 16;
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final SecureRandom RANDOM = new SecureRandom();

  /// By passwords: to derive one costs more than all the rest of a log-on.
  private static final Map<String, Verifier> VERIFIERS = new ConcurrentHashMap<>();

  static {
    RememberedKeys.install();
  }

  private final byte[] sessionSalt = random(BLOCK);
  private final byte[] serverKey = random(KEY_BYTES);
  private final Verifier verifier;

  PasswordExchange(String password) throws GeneralSecurityException {
    Verifier known = VERIFIERS.get(password);
    verifier = known == null ? Verifier.of(password) : known;
    VERIFIERS.putIfAbsent(password, verifier);
  }

  /// What a server keeps in the place of a password.
  private record Verifier(byte[] salt, byte[] hash) {

    static Verifier of(String password) throws GeneralSecurityException {
      byte[] salt = random(BLOCK);
      byte[] suffix = "AUTH_PBKDF2_SPEEDY_KEY".getBytes(StandardCharsets.US_ASCII);
      byte[] key = derive(password, concat(salt, suffix), VERIFIER_ROUNDS, 64);
      byte[] digest = MessageDigest.getInstance("SHA-512").digest(concat(key, salt));
      return new Verifier(salt, Arrays.copyOf(digest, KEY_BYTES));
    }
  }

  String salt() {
    return HEX.formatHex(verifier.salt);
  }

  String sessionSalt() {
    return HEX.formatHex(sessionSalt);
  }

  String encryptedServerKey() throws GeneralSecurityException {
    return HEX.formatHex(aes(Cipher.ENCRYPT_MODE, verifier.hash, serverKey));
  }

  /// What the server answers if the password is right; null if it is wrong.
  ///
  /// @param clientKey the client's half, in hexadecimal and encrypted
  /// @param encrypted the password, in the same way
  /// @param password the right one
  @Nullable String answer(String clientKey, String encrypted, String password)
      throws GeneralSecurityException {
    byte[] theirs = aes(Cipher.DECRYPT_MODE, verifier.hash, HEX.parseHex(clientKey));
    byte[] both = concat(Arrays.copyOf(theirs, KEY_BYTES), serverKey);
    byte[] key = derive(HEX.formatHex(both), sessionSalt, SESSION_ROUNDS, KEY_BYTES);
    byte[] padded = aes(Cipher.DECRYPT_MODE, key, HEX.parseHex(encrypted));
    // Who has no password sends none.
    int padding = padded.length == 0 ? 0 : padded[padded.length - 1];
    if (padding < 1 || padding > BLOCK || padded.length < BLOCK + padding) {
      return null;
    }
    byte[] sent = Arrays.copyOfRange(padded, BLOCK, padded.length - padding);
    if (!MessageDigest.isEqual(sent, password.getBytes(StandardCharsets.UTF_8))) {
      return null;
    }
    byte[] text = "SERVER_TO_CLIENT".getBytes(StandardCharsets.US_ASCII);
    byte[] end = new byte[BLOCK];
    Arrays.fill(end, (byte) BLOCK);
    byte[] plain = concat(concat(random(BLOCK), text), end);
    return HEX.formatHex(aes(Cipher.ENCRYPT_MODE, key, plain));
  }

  private static byte[] derive(String secret, byte[] salt, int rounds, int bytes)
      throws GeneralSecurityException {
    PBEKeySpec spec = new PBEKeySpec(secret.toCharArray(), salt, rounds, 8 * bytes);
    return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512").generateSecret(spec).getEncoded();
  }

  private static byte[] aes(int mode, byte[] key, byte[] data) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/CBC/NoPadding");
    cipher.init(mode, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[BLOCK]));
    return cipher.doFinal(data);
  }

  private static byte[] random(int count) {
    byte[] bytes = new byte[count];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
