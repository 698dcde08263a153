package millrace.spi.read;

import java.io.Serializable;
import java.util.List;
import millrace.data.Schema;

/// What the target would like the source's columns to be; it matters to sources that have no types
/// of their own, such as CSV.
public sealed interface ColumnRequest extends Serializable {

  /// Typed columns, found out by the source: from its own catalogue, or by sample.
  record Typed() implements ColumnRequest {}

  /// Text will do: the target keeps no types, and a value not looked at can't change.
  ///
  /// @param but names of the columns that somebody looks at, which have types all the same
  record Untyped(List<String> but) implements ColumnRequest {

    public Untyped {
      but = List.copyOf(but);
    }

    /// All columns as text.
    public Untyped() {
      this(List.of());
    }
  }

  /// The columns of a target that exists: a source without types takes these types, and keeps its
  /// own names. They pair by name (if the source has names) or by the position of what is selected.
  record Like(Schema schema, boolean byPosition) implements ColumnRequest {}
}
