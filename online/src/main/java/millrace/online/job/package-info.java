/// What a run is asked for, and the job file that says it.
@NullMarked
package millrace.online.job;

import org.jspecify.annotations.NullMarked;
