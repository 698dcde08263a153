/// One job run with one combination of settings after the other, and a table of what each has
/// shown.
@NullMarked
package millrace.online.sweep;

import org.jspecify.annotations.NullMarked;
