package millrace.cli;

/// What the help of several verbs has in common.
public final class HelpText {

  /// Describes an end of a copy.
  public static final String END =
      "Where the rows come from: a path or glob, - for standard input or output, a URL such as"
          + " postgresql://user@host/database?table=t, or a connection as NAME:table.";

  /// How wide it is, in characters.
  public static final int COLUMNS = 100;

  private HelpText() {}
}
