package millrace.data.spelling;

import millrace.data.Vector;

/// Reads one value from its spelling; made by {@link Spelling#parser}, called for every field.
///
/// A parser never guesses and never rounds: a spelling that it does not know exactly, or a value
/// that the type can't hold, is refused. It may keep a buffer of its own, so each thread has its
/// own parsers. A class and not an interface, because a call through an interface has to look its
/// method up: with a billion fields that was 6 % of the time.
public abstract class ValueParser {

  /// Reads the bytes from `start` up to `end` into a row, and clears the row's null flag.
  ///
  /// Text, JSON and opaque values become a view if `into` is a view on the same array, and are
  /// appended otherwise; long decimals, UUIDs and raw bytes are always appended, so their vector
  /// must not be a view. That the bytes are valid UTF-8 is for the caller to check, with {@link
  /// Utf8#firstInvalid}, once for a whole buffer.
  ///
  /// @param into a vector of the layout of the parser's type
  /// @return false if the spelling is not known or does not fit; the row is then undefined
  public abstract boolean parse(byte[] bytes, int start, int end, Vector into, int row);
}
