package millrace.data.spelling.nested;

/// Makes one system's text of a value into another's. One thread.
public abstract sealed class Respelling permits NestedRespelling, PartRespelling {

  /// Where the other's text lies; valid until the next call.
  byte[] bytes = {};

  int start;
  int end;

  /// Makes the other text.
  ///
  /// @return false if the text is none of the type, or the other system has no such value
  public abstract boolean respell(byte[] text, int from, int to);

  /// The text that was made last: from {@link #start} to {@link #end} of these.
  public final byte[] bytes() {
    return bytes;
  }

  public final int start() {
    return start;
  }

  public final int end() {
    return end;
  }
}
