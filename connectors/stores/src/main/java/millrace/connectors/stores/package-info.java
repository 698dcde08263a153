/// Stores on the network as file systems of Java, so that files in them are read and written by
/// what reads and writes files.
@NullMarked
package millrace.connectors.stores;

import org.jspecify.annotations.NullMarked;
