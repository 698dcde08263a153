/// DuckDB databases and Parquet files, read and written by the DuckDB that runs inside this
/// process.
///
/// Rows come out through the memory of DuckDB's result chunks ({@link
/// millrace.connectors.duckdb.RawVectors}) and go in through a table function ({@link
/// millrace.connectors.duckdb.Feed}) that DuckDB's own threads pull from, in one statement and one
/// transaction. What a value is in either direction stands in {@link
/// millrace.connectors.duckdb.DuckDbTypes}.
@NullMarked
package millrace.connectors.duckdb;

import org.jspecify.annotations.NullMarked;
