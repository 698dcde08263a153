/// Which tables an end has: the contract for copies of many tables.
@NullMarked
package millrace.spi.catalog;

import org.jspecify.annotations.NullMarked;
