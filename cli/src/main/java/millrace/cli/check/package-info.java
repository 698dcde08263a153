/// Checks of a user's own server, which end in a report to paste into a discussion.
@NullMarked
package millrace.cli.check;

import org.jspecify.annotations.NullMarked;
