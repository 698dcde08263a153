/// The highest rate that passes.
@NullMarked
package millrace.online.search;

import org.jspecify.annotations.NullMarked;
