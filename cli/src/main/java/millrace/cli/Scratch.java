package millrace.cli;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/// Names for tables and files that are there to measure by, and are removed.
final class Scratch {

  private Scratch() {}

  /// A name that nobody else uses, and that says who does.
  ///
  /// @param purpose one word
  static String name(String purpose) {
    return "millrace_"
        + purpose
        + "_"
        + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
  }
}
