/// Compares two sides by hashes of their rows.
@NullMarked
package millrace.verify;

import org.jspecify.annotations.NullMarked;
