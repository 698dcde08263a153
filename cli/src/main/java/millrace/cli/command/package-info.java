/// The verbs: each parses nothing by itself, calls core, and prints what came of it.
@NullMarked
package millrace.cli.command;

import org.jspecify.annotations.NullMarked;
