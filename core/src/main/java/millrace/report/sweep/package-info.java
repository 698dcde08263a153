/// What many copies with different settings tell: medians, noise, the knee, what a call and what a
/// row costs.
@NullMarked
package millrace.report.sweep;

import org.jspecify.annotations.NullMarked;
