/// The target that takes all and keeps nothing: it measures a source.
@NullMarked
package millrace.connectors.nothing;

import org.jspecify.annotations.NullMarked;
