package millrace.data;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// One column: its name, what its values mean, whether they may be missing.
///
/// @param name as the source spells it, case kept
/// @param type what the values mean
/// @param nullable whether a value may be missing
/// @param declared how its own system declares it, or null if the source has no types of its own
public record Column(String name, Type type, boolean nullable, @Nullable Native declared)
    implements Serializable {

  /// A nullable column of a source that declares nothing.
  public static Column of(String name, Type type) {
    return new Column(name, type, true, null);
  }

  /// The same column under another type, its declaration dropped.
  public Column as(Type other) {
    return new Column(name, other, nullable, null);
  }

  /// What kind of values it has, for users: of a type that only its own system knows, the
  /// declaration there.
  public String typeLabel() {
    return declared != null && type instanceof Type.Opaque ? declared.declaration() : type.label();
  }

  /// How it is declared, for users: its type if nobody has declared it.
  public String declaration() {
    return declared == null ? type.label() : declared.declaration();
  }

  /// The declaration in the words of the given system, or null if it has none there.
  public @Nullable String declaredIn(String system) {
    return declared != null && declared.system().equals(system) ? declared.declaration() : null;
  }
}
