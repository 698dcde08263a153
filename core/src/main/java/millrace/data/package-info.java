/// What moves: types, schemas, and batches of rows as typed columns or raw frames.
@NullMarked
package millrace.data;

import org.jspecify.annotations.NullMarked;
