/// What users may write: options, connections, profiles, and what becomes of them.
@NullMarked
package millrace.cli.option;

import org.jspecify.annotations.NullMarked;
