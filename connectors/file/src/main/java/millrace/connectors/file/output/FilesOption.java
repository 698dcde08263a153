package millrace.connectors.file.output;

import java.util.Locale;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.text.Amount;

/// The parameter `files=`: how many files a target writes.
///
/// @param perSplit whether each split has its own
/// @param fileBytesMax the size at which the next begins, before compression
public record FilesOption(boolean perSplit, long fileBytesMax) {

  public static FilesOption of(Endpoint endpoint) {
    String text = endpoint.text("files").orElse("one");
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "one" -> new FilesOption(false, Long.MAX_VALUE);
      case "per-split" -> new FilesOption(true, Long.MAX_VALUE);
      default -> {
        Amount size = Amount.parse("files", text);
        if (!size.inBytes()) {
          throw new Fault.User(
              "files=" + text + " has no unit.",
              "Write one, per-split, or a size such as 500MB or 1GB.");
        }
        yield new FilesOption(false, size.number());
      }
    };
  }

  /// Whether files are numbered.
  public boolean areSeveral() {
    return perSplit || fileBytesMax < Long.MAX_VALUE;
  }
}
