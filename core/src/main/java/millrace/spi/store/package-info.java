/// Stores of files on the network, as the file connectors see them.
@NullMarked
package millrace.spi.store;

import org.jspecify.annotations.NullMarked;
