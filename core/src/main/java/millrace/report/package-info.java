/// What a run measured, and how it is told.
@NullMarked
package millrace.report;

import org.jspecify.annotations.NullMarked;
