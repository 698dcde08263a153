package millrace.spi;

/// A parameter of a connector's URLs.
///
/// @param name lower case, words joined by `-`, for example `null-string`
/// @param help one line that says what it does, its values and its default
/// @param example a value that makes sense, for the help text
/// @param targetFlag whether it is true or false, false where it is not given, and says how an end
///   is written: on the command line a bare word, which goes to the end that is written alone
public record Option(String name, String help, String example, boolean targetFlag) {

  /// A parameter with a value.
  public Option(String name, String help, String example) {
    this(name, help, example, false);
  }

  /// A flag for ends that are written.
  public static Option targetFlag(String name, String help) {
    return new Option(name, help, "true", true);
  }
}
