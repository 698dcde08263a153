/// Records and fields of delimited text, both ways.
@NullMarked
package millrace.connectors.file.csv;

import org.jspecify.annotations.NullMarked;
