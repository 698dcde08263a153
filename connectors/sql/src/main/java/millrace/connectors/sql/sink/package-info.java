/// Where rows go into a table: a {@link RowSink} for each lane, made by a {@link LoadMethod}.
/// Inserts are here; a system's own fast way is in its connector.
@NullMarked
package millrace.connectors.sql.sink;

import org.jspecify.annotations.NullMarked;
