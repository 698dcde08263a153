/// What is settled of a load before anything is changed: its table, its columns, and where its rows
/// stood in the source.
@NullMarked
package millrace.connectors.sql.plan;

import org.jspecify.annotations.NullMarked;
