package millrace.connectors.postgres.catalog;

/// A table or something that looks like one.
///
/// @param oid its number
/// @param name its name and schema
/// @param kind PostgreSQL's letter for it: `r` table, `p` partitioned table, `v` view, `m`
///   materialized view, `f` foreign table
/// @param hasChildren whether partitions or inheriting tables may hang below it
/// @param rowSecurity whether policies hide rows of it
/// @param heap whether its rows lie in blocks of a heap, and can be read by ranges of blocks
public record Relation(
    long oid,
    QualifiedName name,
    String kind,
    boolean hasChildren,
    boolean rowSecurity,
    boolean heap) {

  /// The same without what hangs below it.
  public Relation alone() {
    return new Relation(oid, name, kind, false, rowSecurity, heap);
  }

  /// What it is, in words.
  public String kindLabel() {
    return switch (kind) {
      case "r" -> "table";
      case "p" -> "partitioned table";
      case "v" -> "view";
      case "m" -> "materialized view";
      case "f" -> "foreign table";
      case "S" -> "sequence";
      case "c" -> "composite type";
      default -> "index";
    };
  }
}
