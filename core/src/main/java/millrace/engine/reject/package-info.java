/// Bad records: counted, limited, set aside in files, left out of a verify.
@NullMarked
package millrace.engine.reject;

import org.jspecify.annotations.NullMarked;
