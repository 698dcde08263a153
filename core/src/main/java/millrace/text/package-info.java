/// What options and parameters spell: amounts, times, lists of names and columns.
@NullMarked
package millrace.text;

import org.jspecify.annotations.NullMarked;
