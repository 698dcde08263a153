package millrace.spi;

/// A parameter of a connector's URLs.
///
/// @param name lower case, words joined by `-`, for example `null-string`
/// @param help one line that says what it does, its values and its default
/// @param example a value that makes sense, for the help text
public record Option(String name, String help, String example) {}
