/// What is asked of the columns on their way: other names, types, columns that are added or left
/// out. Pure.
@NullMarked
package millrace.plan.mapping;

import org.jspecify.annotations.NullMarked;
