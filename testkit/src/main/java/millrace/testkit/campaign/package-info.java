/// Copies that are cut at random moments and gone on with, until nothing is lost and nothing twice.
@NullMarked
package millrace.testkit.campaign;

import org.jspecify.annotations.NullMarked;
