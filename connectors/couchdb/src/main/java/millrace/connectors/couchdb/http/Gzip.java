package millrace.connectors.couchdb.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// Packs requests.
final class Gzip {

  private Gzip() {}

  /// The first bytes of an array, packed fast rather than small.
  static byte[] packed(byte[] bytes, int length) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(length / 4 + 64);
    try (OutputStream packing = new Fast(out)) {
      packing.write(bytes, 0, length);
    } catch (IOException e) {
      throw new UncheckedIOException("memory can't be written", e);
    }
    return out.toByteArray();
  }

  private static final class Fast extends GZIPOutputStream {
    Fast(OutputStream out) throws IOException {
      super(out, 1 << 15);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
