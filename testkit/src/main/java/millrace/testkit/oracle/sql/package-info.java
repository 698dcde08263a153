/// Oracle's SQL, cut into tokens, sorted into kinds and rewritten for H2.
///
/// What a bulk loader and unloader says is known here. All else ends in an ORA error that names the
/// statement, never in something that was left out.
@NullMarked
package millrace.testkit.oracle.sql;

import org.jspecify.annotations.NullMarked;
