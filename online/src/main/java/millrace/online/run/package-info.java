/// One run: prepares the tables, lets clients write and windows be aggregated, and adds all up.
@NullMarked
package millrace.online.run;

import org.jspecify.annotations.NullMarked;
