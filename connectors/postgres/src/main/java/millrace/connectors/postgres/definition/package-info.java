/// How tables are made like others of another database, with all that belongs to them.
@NullMarked
package millrace.connectors.postgres.definition;

import org.jspecify.annotations.NullMarked;
