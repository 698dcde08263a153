/// What a server says of its tables, types and sequences.
@NullMarked
package millrace.connectors.postgres.catalog;

import org.jspecify.annotations.NullMarked;
