/// Files in stores on the network as {@link java.nio.file.Path}s, so that whoever reads files reads
/// those too. {@link millrace.spi.store.ObjectStore} is what a store has to be able to.
@NullMarked
package millrace.io.store;

import org.jspecify.annotations.NullMarked;
