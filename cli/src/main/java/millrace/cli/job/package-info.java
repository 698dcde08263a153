/// Job files at the command line: their ends, their hooks, the JSON Schema, and jobs that are
/// written for a command line.
@NullMarked
package millrace.cli.job;

import org.jspecify.annotations.NullMarked;
