/// Oracle databases, by Oracle's own driver.
@NullMarked
package millrace.connectors.oracle;

import org.jspecify.annotations.NullMarked;
