/// JMH benchmarks: what a loop costs, with what it is compared to beside it.
@NullMarked
package millrace.bench;

import org.jspecify.annotations.NullMarked;
