/// Rows into a table of DuckDB.
@NullMarked
package millrace.connectors.duckdb.load;

import org.jspecify.annotations.NullMarked;
