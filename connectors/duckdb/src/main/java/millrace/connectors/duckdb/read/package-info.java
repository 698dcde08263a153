/// Rows that DuckDB selects.
@NullMarked
package millrace.connectors.duckdb.read;

import org.jspecify.annotations.NullMarked;
