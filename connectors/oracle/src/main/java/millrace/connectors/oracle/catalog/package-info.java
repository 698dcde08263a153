/// What Oracle's dictionary says of tables, and by what their rows are cut for lanes that read.
@NullMarked
package millrace.connectors.oracle.catalog;

import org.jspecify.annotations.NullMarked;
