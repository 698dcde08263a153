package millrace.connectors.generate;

import millrace.data.Column;
import millrace.data.LongVector;
import millrace.data.Type;
import millrace.data.Vector;

/// A column and how its values are made.
///
/// @param column its name and type
/// @param bytesMean mean length of its values as text, in bytes
/// @param maker makes them
record MadeColumn(Column column, double bytesMean, ColumnMaker maker) {

  /// A column without nulls.
  static MadeColumn of(String name, Type type, double bytesMean, ColumnMaker maker) {
    return new MadeColumn(new Column(name, type, false, null), bytesMean, maker);
  }

  /// A column without nulls that is held in longs.
  ///
  /// @param value from a random number
  static MadeColumn random(String name, Type type, double bytesMean, FromRandom value) {
    return of(
        name, type, bytesMean, (into, seed, first, rows) -> fill(into, seed, first, rows, value));
  }

  /// A column without nulls that is held in longs and follows from the row's number.
  static MadeColumn counted(String name, Type type, double bytesMean, FromRow value) {
    return of(
        name,
        type,
        bytesMean,
        (into, _, firstRow, rows) -> {
          long[] values = ((LongVector) into).values;
          for (int i = 0; i < rows; i++) {
            values[i] = value.of(firstRow + i);
          }
        });
  }

  private static void fill(Vector into, long seed, long firstRow, int rows, FromRandom value) {
    long[] values = ((LongVector) into).values;
    for (int i = 0; i < rows; i++) {
      values[i] = value.of(Counter.at(seed, firstRow + i));
    }
  }

  /// Turns 64 random bits into a value.
  @FunctionalInterface
  interface FromRandom {
    long of(long random);
  }

  /// Turns a row's number, from 0, into a value.
  @FunctionalInterface
  interface FromRow {
    long of(long row);
  }
}
