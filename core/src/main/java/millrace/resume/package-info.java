/// What becomes of an earlier run of the same copy: go on, begin again, nothing to do, refuse.
@NullMarked
package millrace.resume;

import org.jspecify.annotations.NullMarked;
