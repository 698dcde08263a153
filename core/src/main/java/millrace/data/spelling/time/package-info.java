/// How dates and times are spelled, both ways, by ISO 8601 or by a pattern of the user.
@NullMarked
package millrace.data.spelling.time;

import org.jspecify.annotations.NullMarked;
