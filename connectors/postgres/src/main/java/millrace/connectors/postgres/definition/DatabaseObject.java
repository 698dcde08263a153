package millrace.connectors.postgres.definition;

import java.util.List;

/// Something of a database that stands by itself or on a table, and how it is made.
///
/// @param id where it stands in the catalog
/// @param schema its own, or that of the table that it is on
/// @param kind as the server calls it, such as `function`
/// @param identity its name as the server spells it, with its schema and arguments
/// @param statements none if it is a table, or does not come along
/// @param phase when it is made if nothing needs it earlier
record DatabaseObject(
    CatalogRow id,
    String schema,
    String kind,
    String identity,
    List<String> statements,
    Phase phase) {

  /// A row of a catalog.
  record CatalogRow(long catalog, long oid) {}

  /// When something is made.
  enum Phase {
    BEFORE_ROWS,
    AFTER_ROWS,
    NEVER
  }

  DatabaseObject {
    statements = List.copyOf(statements);
  }

  /// What names it among all objects of a database.
  String name() {
    return kind + " " + identity;
  }

  boolean isTable() {
    return kind.equals("table");
  }
}
