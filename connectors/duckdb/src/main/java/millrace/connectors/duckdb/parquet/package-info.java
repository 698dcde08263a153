/// Parquet files, read and written through DuckDB.
@NullMarked
package millrace.connectors.duckdb.parquet;

import org.jspecify.annotations.NullMarked;
