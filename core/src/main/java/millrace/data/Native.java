package millrace.data;

import java.io.Serializable;

/// How a column is declared in the system that it comes from.
///
/// A target of the same system declares its column alike, so that nothing is lost between two
/// tables of one kind; every other target goes by the neutral {@link Type}.
///
/// @param system the connector's name, for example `postgresql`
/// @param declaration the type in that system's words, for example `numeric(12,2)` or `inet`
/// @param members if the declaration names a type whose text holds values that go by their order
///   alone, such as PostgreSQL's rows: what they are called, in that order, for example
///   `(street,city)`; empty for all others

public record Native(String system, String declaration, String members) implements Serializable {

  /// A type whose declaration says all.
  public Native(String system, String declaration) {
    this(system, declaration, "");
  }
}
