/// Loads past the buffer cache: the driver's direct path streams and direct inserts. Streams commit
/// by themselves, before a receipt can be written, and leave rules and indexes behind: what that
/// takes stands here too.
@NullMarked
package millrace.connectors.oracle.direct;

import org.jspecify.annotations.NullMarked;
