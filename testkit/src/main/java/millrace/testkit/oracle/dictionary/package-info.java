/// The views in which a server tells about itself: the data dictionary and the V$ views.
@NullMarked
package millrace.testkit.oracle.dictionary;

import org.jspecify.annotations.NullMarked;
