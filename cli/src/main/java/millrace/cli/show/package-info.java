/// What is printed while a verb runs and at its end.
@NullMarked
package millrace.cli.show;

import org.jspecify.annotations.NullMarked;
