/// Bytes of files to read: found, decompressed, decoded, read ahead.
@NullMarked
package millrace.connectors.file.io;

import org.jspecify.annotations.NullMarked;
