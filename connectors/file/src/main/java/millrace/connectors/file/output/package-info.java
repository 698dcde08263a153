/// Files to write: staged, joined in split order, published under their names.
@NullMarked
package millrace.connectors.file.output;

import org.jspecify.annotations.NullMarked;
