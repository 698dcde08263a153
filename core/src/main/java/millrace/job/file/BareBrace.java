package millrace.job.file;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;

/// A variable without quotes where a value of a job file begins, such as `object: {stream_table}`:
/// YAML reads a group of keys there, and what it says of that helps nobody.
final class BareBrace {

  private static final Pattern LINE =
      Pattern.compile(
          "(?<before>\\s*+(?:- +)*+(?:[\\w-]+ *: +)?(?:[\\[{] *)?)"
              + "(?<text>(?<brace>\\{\\{?[A-Za-z_]\\w*}).*?)(?<after>:?\\s*(?: #.*)?)");

  private static final Pattern PLACE = Pattern.compile(", line (\\d+): ");

  private BareBrace() {}

  /// The fault as that of such a line, if it stands there; else as it is.
  ///
  /// @param fault what was wrong with the file
  static Fault.User orSame(String file, String document, Fault.User fault) {
    String message = String.valueOf(fault.getMessage());
    Matcher place = PLACE.matcher(message);
    if (!message.startsWith(file + ", line ") || !place.find(file.length())) {
      return fault;
    }
    List<String> lines = document.lines().toList();
    int named = Integer.parseInt(place.group(1));
    // What a brace makes of the lines after it, the parser may find in any of them.
    int first = message.endsWith("this is no YAML.") ? Math.max(1, named - 1) : named;
    for (int at = first; at <= Math.min(named, lines.size()); at++) {
      Matcher line = LINE.matcher(lines.get(at - 1));
      if (line.matches()) {
        String quoted = "'" + line.group("text").strip().replace("'", "''") + "'";
        String mended = line.group("before").strip() + " " + quoted + line.group("after");
        return new Fault.User(
            file
                + ", line "
                + at
                + ": "
                + line.group("brace")
                + " has no quotes around it: YAML reads a brace that begins a value as a group.",
            "Write the line so:\n    " + Endpoints.redact(mended.strip()),
            fault);
      }
    }
    return fault;
  }
}
