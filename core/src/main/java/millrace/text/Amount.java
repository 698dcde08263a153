package millrace.text;

import java.io.Serializable;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;

/// A number of rows or of bytes, as users write units: `2000` is rows, `16MB` is bytes.
///
/// @param number at least 1
/// @param inBytes whether it counts bytes rather than rows
public record Amount(long number, boolean inBytes) implements Serializable {

  private static final Pattern SPELLING =
      Pattern.compile("([0-9][0-9_]*)\\s*(b|kb|kib|k|mb|mib|m|gb|gib|g)?");

  /// Reads `2000`, `64kB`, `16MB` or `2GB`; units are powers of 1024, in any case.
  ///
  /// @param name the option, for the message
  /// @throws Fault.User if it is none of these, zero, or too large
  public static Amount parse(String name, String text) {
    Matcher matcher = SPELLING.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw bad(name, text);
    }
    String unit = matcher.group(2);
    int shift = unit == null ? 0 : "bkmg".indexOf(unit.charAt(0)) * 10;
    try {
      long number = Long.parseLong(matcher.group(1).replace("_", ""));
      if (number < 1 || number > Long.MAX_VALUE >> shift) {
        throw bad(name, text);
      }
      return new Amount(number << shift, unit != null);
    } catch (NumberFormatException _) {
      throw bad(name, text);
    }
  }

  /// How many rows of about that many bytes this is; at least 1.
  public long rows(long bytesPerRow) {
    return inBytes ? Math.max(1, number / Math.max(1, bytesPerRow)) : number;
  }

  /// Whether so many rows, or so many bytes, are this much or more.
  public boolean isReached(long rows, long bytes) {
    return (inBytes ? bytes : rows) >= number;
  }

  @Override
  public String toString() {
    return inBytes ? number + "B" : Long.toString(number);
  }

  private static Fault.User bad(String name, String text) {
    return new Fault.User(
        name + " '" + text + "' is no number of rows or bytes.",
        "Write a number of rows such as 2000, or of bytes such as 64kB, 16MB or 2GB.");
  }
}
