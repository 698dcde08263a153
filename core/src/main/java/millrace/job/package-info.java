/// Copies of many tables as one job: which go where, how many at once, what is done already.
@NullMarked
package millrace.job;

import org.jspecify.annotations.NullMarked;
