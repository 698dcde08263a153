/// Which type a column of text has, by a sample of it.
@NullMarked
package millrace.data.spelling.guess;

import org.jspecify.annotations.NullMarked;
