/// What the user asked for and how it will be done.
@NullMarked
package millrace.plan;

import org.jspecify.annotations.NullMarked;
