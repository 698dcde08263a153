/// What can go wrong, sorted by who can do something about it.
@NullMarked
package millrace.fault;

import org.jspecify.annotations.NullMarked;
