/// Delimited text files (CSV and its kin), plain or compressed, to read and to write.
@NullMarked
package millrace.connectors.file;

import org.jspecify.annotations.NullMarked;
