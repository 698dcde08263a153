package millrace.spi;

/// A parameter of a connector's URLs.
///
/// @param name lower case, words joined by `-`, for example `null-string`
/// @param help one line that says what it does, its values and its default
/// @param example a value that makes sense, for the help text
/// @param of for which ends it is: on the command line it goes to those alone
/// @param flag whether it is true or false, false if it is not given: on the command line a bare
///   word
public record Option(String name, String help, String example, Of of, boolean flag) {

  /// Which ends a parameter says something about.
  public enum Of {
    EITHER,
    SOURCE,
    TARGET;

    /// Whether it is for an end that is written, or for one that is read.
    public boolean fits(boolean target) {
      return this == EITHER || target == (this == TARGET);
    }
  }

  /// A parameter with a value.
  public Option(String name, String help, String example) {
    this(name, help, example, Of.EITHER, false);
  }

  /// A flag for either end.
  public static Option flag(String name, String help) {
    return new Option(name, help, "true", Of.EITHER, true);
  }

  /// A flag for ends that are read.
  public static Option sourceFlag(String name, String help) {
    return new Option(name, help, "true", Of.SOURCE, true);
  }

  /// A flag for ends that are written.
  public static Option targetFlag(String name, String help) {
    return new Option(name, help, "true", Of.TARGET, true);
  }

  /// One with a value, for ends that are read.
  public static Option source(String name, String help, String example) {
    return new Option(name, help, example, Of.SOURCE, false);
  }

  /// One with a value, for ends that are written.
  public static Option target(String name, String help, String example) {
    return new Option(name, help, example, Of.TARGET, false);
  }
}
