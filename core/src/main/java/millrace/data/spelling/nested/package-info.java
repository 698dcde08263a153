/// The texts of lists and structs: each system's cut into parts, and made of parts.
@NullMarked
package millrace.data.spelling.nested;

import org.jspecify.annotations.NullMarked;
