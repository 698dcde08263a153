package millrace.testkit.oracle.sql;

import millrace.testkit.oracle.catalog.OraTable;
import org.jspecify.annotations.Nullable;

/// A table that a statement names in FROM, INTO, UPDATE and the like.
///
/// @param table the table or view of the catalogue; null for views of the dictionary
/// @param view the dictionary's view; null for tables
/// @param alias what the statement calls it; its own name if it gives no other
/// @param from the first token of it
/// @param to the first token behind it and its alias
/// @param partition the predicate on its partition; null if it is read whole
/// @param aliased whether the alias was written
record TableRef(
    @Nullable OraTable table,
    @Nullable String view,
    String alias,
    int from,
    int to,
    @Nullable String partition,
    boolean aliased) {}
