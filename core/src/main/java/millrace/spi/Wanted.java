package millrace.spi;

import millrace.data.Schema;

/// What the target would like the source's columns to be; it matters to sources that have no types
/// of their own, such as CSV.
public sealed interface Wanted {

  /// Typed columns, found out by the source: from its own catalogue, or by sample.
  record Typed() implements Wanted {}

  /// Text will do: the target keeps no types, and a value not looked at can't change.
  record Untyped() implements Wanted {}

  /// The columns of a target that exists: a source without types takes these types, paired by name
  /// (where the source has names) or by position.
  record Like(Schema schema, boolean byPosition) implements Wanted {}
}
