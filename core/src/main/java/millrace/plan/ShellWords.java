package millrace.plan;

import java.util.List;
import java.util.stream.Collectors;
import millrace.endpoint.Endpoints;

/// Arguments as a line for a shell, for commands that a user may copy.
public final class ShellWords {

  private ShellWords() {}

  /// The words with blanks between, each in quotes if a shell would change it, without passwords.
  /// Each word is redacted by itself: together, the end of one URL and the beginning of the next
  /// would look like a password.
  public static String line(List<String> words) {
    return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String argument) {
    String word = Endpoints.redact(argument);
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
