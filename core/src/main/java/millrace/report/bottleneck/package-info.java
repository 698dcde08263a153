/// Which part of a run was the slowest, and what would help.
@NullMarked
package millrace.report.bottleneck;

import org.jspecify.annotations.NullMarked;
