/// What a database calls its types, how values of them are got from a driver, and how they are
/// given to a statement.
@NullMarked
package millrace.connectors.sql.types;

import org.jspecify.annotations.NullMarked;
