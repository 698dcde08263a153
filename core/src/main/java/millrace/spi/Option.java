package millrace.spi;

/// A parameter of a connector's URLs.
///
/// @param name lower case, words joined by `-`, for example `null-string`
/// @param help one line that says what it does, its values and its default
/// @param example a value that makes sense, for the help text
/// @param ofTarget whether it says how an end is written: on the command line it goes to that end
///   alone
/// @param flag whether it is true or false, false where it is not given: on the command line a bare
///   word
public record Option(String name, String help, String example, boolean ofTarget, boolean flag) {

  /// A parameter with a value.
  public Option(String name, String help, String example) {
    this(name, help, example, false, false);
  }

  /// A flag for either end.
  public static Option flag(String name, String help) {
    return new Option(name, help, "true", false, true);
  }

  /// A flag for ends that are written.
  public static Option targetFlag(String name, String help) {
    return new Option(name, help, "true", true, true);
  }

  /// One with a value, for ends that are written.
  public static Option target(String name, String help, String example) {
    return new Option(name, help, example, true, false);
  }
}
