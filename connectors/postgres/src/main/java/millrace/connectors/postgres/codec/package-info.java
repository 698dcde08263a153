/// The binary and text forms of COPY, both ways.
@NullMarked
package millrace.connectors.postgres.codec;

import org.jspecify.annotations.NullMarked;
