/// The ways into a table: how a load is planned, and the statements before and after its rows.
@NullMarked
package millrace.connectors.postgres.load;

import org.jspecify.annotations.NullMarked;
