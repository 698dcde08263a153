package millrace.connectors.generate;

import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Vector;

/// One table of TPC-H.
///
/// @param <E> what its generator makes for each row
/// @param name as in `tpch.NAME`
/// @param key names of its key's columns
/// @param base how many entities scale factor 1 has, or {@link #FIXED}
/// @param rowsPerEntity mean rows that an entity has, such as an order's lines
/// @param generator makes part 1 to `parts` of the entities
/// @param fields its columns
record TpchTable<E>(
    String name,
    List<String> key,
    long base,
    long rowsPerEntity,
    Generator<E> generator,
    List<Field<E>> fields) {

  /// Stands for the base of a table that does not grow with the scale factor and has one part.
  static final long FIXED = 0;

  Schema schema() {
    return new Schema(fields.stream().map(Field::column).toList(), key);
  }

  /// Makes a part of a table; parts count from 1.
  @FunctionalInterface
  interface Generator<E> {
    Iterable<E> rows(double scale, int part, int parts);
  }

  /// Writes one value of an entity into a vector.
  @FunctionalInterface
  interface Setter<E> {
    void set(E from, Vector into, int row);
  }

  /// A column.
  ///
  /// @param bytesMean mean length of its values as text, in bytes
  /// @param setter takes its values from the entities
  record Field<E>(Column column, double bytesMean, Setter<E> setter) {}
}
