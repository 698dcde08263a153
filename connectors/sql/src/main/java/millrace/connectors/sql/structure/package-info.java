/// What tables have beside columns and rows, from the catalog of one database into the statements
/// of another.
@NullMarked
package millrace.connectors.sql.structure;

import org.jspecify.annotations.NullMarked;
