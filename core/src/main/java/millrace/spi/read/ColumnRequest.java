package millrace.spi.read;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import millrace.data.Schema;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// What the target would like the source's columns to be; it matters to sources that have no types
/// of their own, such as CSV.
public sealed interface ColumnRequest extends Serializable {

  /// Typed columns, found out by the source: from its own catalogue, or by sample.
  ///
  /// @param declared by name, types that the user says: a source without types takes these
  record Typed(Map<String, Type> declared) implements ColumnRequest {

    public Typed {
      declared = Map.copyOf(declared);
    }

    /// The user says none.
    public Typed() {
      this(Map.of());
    }
  }

  /// Text will do: the target keeps no types, and a value not looked at can't change.
  ///
  /// @param but names of the columns that somebody looks at, which have types all the same
  /// @param declared by name, types that the user says
  record Untyped(List<String> but, Map<String, Type> declared) implements ColumnRequest {

    public Untyped {
      but = List.copyOf(but);
      declared = Map.copyOf(declared);
    }

    /// The user says none.
    public Untyped(List<String> but) {
      this(but, Map.of());
    }

    /// All columns as text.
    public Untyped() {
      this(List.of());
    }
  }

  /// The columns of a target that exists: a source without types takes these types, and keeps its
  /// own names. They pair by name (if the source has names) or by the position of what is selected.
  record Like(Schema schema, boolean byPosition) implements ColumnRequest {}

  /// The type that the user says for a column; null if he says none.
  static @Nullable Type declared(String name, Map<String, Type> declared) {
    List<String> names = List.copyOf(declared.keySet());
    int at = Selection.position(name, names);
    return at < 0 ? null : declared.get(names.get(at));
  }
}
