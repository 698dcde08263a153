/// How numbers are spelled, both ways.
@NullMarked
package millrace.data.spelling.number;

import org.jspecify.annotations.NullMarked;
