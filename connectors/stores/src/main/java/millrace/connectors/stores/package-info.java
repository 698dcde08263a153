/// What Millrace knows of stores on the network: a package for each maker. {@link
/// millrace.spi.store} is what they have to be able to, and {@link millrace.io.store} makes files
/// of them.
@NullMarked
package millrace.connectors.stores;

import org.jspecify.annotations.NullMarked;
