/// The command line: parses options, starts a run, prints its report.
@NullMarked
package millrace.cli;

import org.jspecify.annotations.NullMarked;
