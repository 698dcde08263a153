package millrace.connectors.postgres.codec;

import millrace.data.Form;
import millrace.data.Frames;
import millrace.fault.Fault;

/// Finds where the rows of frames end, in each of the forms that COPY takes. Only called once the
/// server has refused one of them.
public final class RowCuts {

  private RowCuts() {}

  /// Where each row ends.
  ///
  /// @throws Fault.Bug if there are not as many as the frames say
  public static int[] ends(Frames frames) {
    int[] ends = new int[frames.rows()];
    int at = frames.start();
    for (int row = 0; row < ends.length; row++) {
      if (at >= frames.end()) {
        throw new Fault.Bug("fewer rows than " + frames.rows() + " in frames", null);
      }
      at = next(frames, at);
      ends[row] = at;
    }
    if (at != frames.end()) {
      throw new Fault.Bug("more rows than " + frames.rows() + " in frames", null);
    }
    return ends;
  }

  private static int next(Frames frames, int from) {
    return switch (frames.form().name()) {
      case PostgresForms.BINARY -> afterBinary(frames.bytes(), from);
      case PostgresForms.TEXT -> afterLine(frames.bytes(), from, frames.end());
      default -> afterCsv(frames, from);
    };
  }

  /// A count of fields, then each field's length, -1 for null, and its bytes.
  private static int afterBinary(byte[] bytes, int from) {
    int fields = BigEndian.getShort(bytes, from);
    int at = from + 2;
    for (int i = 0; i < fields; i++) {
      at += 4 + Math.max(0, BigEndian.getInt(bytes, at));
    }
    return at;
  }

  /// Line feeds within values are written as `\n`.
  private static int afterLine(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && bytes[at] != '\n') {
      at++;
    }
    return Math.min(end, at + 1);
  }

  private static int afterCsv(Frames frames, int from) {
    PostgresForms.CsvMarks marks = marks(frames.form());
    byte[] bytes = frames.bytes();
    boolean quoted = false;
    int at = from;
    while (at < frames.end() && (quoted || bytes[at] != '\n')) {
      boolean escapes =
          quoted
              && bytes[at] == marks.escape()
              && at + 1 < frames.end()
              && (bytes[at + 1] == marks.quote() || bytes[at + 1] == marks.escape());
      if (escapes) {
        at++;
      } else if (bytes[at] == marks.quote()) {
        quoted = !quoted;
      }
      at++;
    }
    return Math.min(frames.end(), at + 1);
  }

  private static PostgresForms.CsvMarks marks(Form form) {
    PostgresForms.CsvMarks marks = PostgresForms.csvMarks(form);
    if (marks == null) {
      throw new Fault.Bug("frames of " + form, null);
    }
    return marks;
  }
}
