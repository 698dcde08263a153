package millrace.copy;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/// Names for tables and files that are there to measure by, and are removed.
public final class ScratchName {

  private ScratchName() {}

  /// A name that nobody else uses, and that says who does.
  ///
  /// @param purpose one word
  public static String of(String purpose) {
    return "millrace_"
        + purpose
        + "_"
        + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
  }
}
