package millrace.spi.read;

import millrace.data.Form;
import millrace.spi.Capable;

/// A source that has been looked at, and can be read. The engine calls its methods from one thread,
/// as often as it likes, until it closes the {@link Source} that gave it.
///
/// Capability: {@link Snapshot}.
public interface DescribedSource extends Capable {

  /// What was seen.
  SourceDescription description();

  /// What giving rows in this form costs, the source system's own work included, in nanoseconds of
  /// CPU per byte of text; negative if it does not speak the form. Unless told otherwise it speaks
  /// columns alone.
  default double cost(Form form) {
    return form.equals(Form.COLUMNS) ? Form.USUAL_COLUMNS_COST : -1;
  }

  /// What it is and where its rows come from, so that a later run can tell whether it is the same.
  /// It may read some of the source for it.
  SourceIdentity identity();

  /// How the source differs from what it was, as a sentence without its end; empty if it is shown
  /// to be the same.
  ///
  /// @param before what {@link SourceIdentity#content} was
  default String changeSince(String before) {
    return before.equals(identity().content()) ? "" : "it is not what it was";
  }

  /// Begins to read. The rows are those of one moment as far as the system can do that. The caller
  /// closes what it gets before the source, and before it opens it again, as it does if its
  /// {@linkplain SourceIdentity#checksums() rows are compared} before they are copied.
  ReadSession open(ReadPlan plan);
}
