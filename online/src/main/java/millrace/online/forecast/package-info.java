/// What a run that goes on for longer would show.
@NullMarked
package millrace.online.forecast;

import org.jspecify.annotations.NullMarked;
