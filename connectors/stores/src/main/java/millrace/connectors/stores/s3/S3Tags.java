package millrace.connectors.stores.s3;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import millrace.spi.store.Upload;

/// The tags that S3 gives to objects which it does not encrypt with keys of the user's: others look
/// the same to nobody, so what is compared to these is never taken for another by mistake.
final class S3Tags {

  private static final HexFormat HEX = HexFormat.of();

  private S3Tags() {}

  static String ofObject(byte[] bytes) {
    return HEX.formatHex(md5().digest(bytes));
  }

  /// @return empty if the parts' own tags are of another kind
  static String ofParts(List<Upload.Part> parts) {
    MessageDigest md5 = md5();
    for (Upload.Part part : parts) {
      if (!part.tag().matches("[0-9a-f]{32}")) {
        return "";
      }
      md5.update(HEX.parseHex(part.tag()));
    }
    return HEX.formatHex(md5.digest()) + "-" + parts.size();
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
