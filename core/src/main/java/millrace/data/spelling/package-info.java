/// How values are spelled as UTF-8 text, both ways, without a string per value.
@NullMarked
package millrace.data.spelling;

import org.jspecify.annotations.NullMarked;
