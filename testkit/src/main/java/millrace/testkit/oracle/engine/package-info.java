/// Sessions and transactions: statements are carried out by an embedded H2, with Oracle's rules and
/// Oracle's errors.
@NullMarked
package millrace.testkit.oracle.engine;

import org.jspecify.annotations.NullMarked;
