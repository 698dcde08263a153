/// What a run has shown: as text, JSON and one page, also while it goes on.
@NullMarked
package millrace.online.report;

import org.jspecify.annotations.NullMarked;
