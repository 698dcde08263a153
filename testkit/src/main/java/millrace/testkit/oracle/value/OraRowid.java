package millrace.testkit.oracle.value;

/// Where a row lies: object, file, block, and row in the block; 18 letters as a text.
///
/// The stand-in puts 64 rows into a block, so a rowid and the number of a row are made of each
/// other. Each partition of a table is an object of its own, whose number has the partition's place
/// in the table.
public record OraRowid(long object, int file, long block, int row) {

  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  private static final int LENGTH = 18;
  private static final int FILE = 4;

  /// The first block with rows.
  public static final int FIRST_BLOCK = 128;

  /// How many rows a block holds.
  public static final int ROWS_IN_BLOCK = 64;

  /// By what the numbers of a partition's rows are greater than those of the one before.
  public static final long ROWS_IN_PART = 1L << 40;

  private static final int PART_BITS = 24;

  /// What keeps rows: a table, or one of its partitions.
  ///
  /// @param part the place of the partition, from 1; 0 of a table without partitions
  public static long object(long table, int part) {
    return (long) part << PART_BITS | table;
  }

  /// The rowid of a table's row of that number.
  public static OraRowid ofRow(long object, long number) {
    return new OraRowid(
        object, FILE, FIRST_BLOCK + number / ROWS_IN_BLOCK, (int) (number % ROWS_IN_BLOCK));
  }

  /// The number of the row that lies there, among all rows of the table; of a place behind a
  /// block's last row, that last row's.
  public long number() {
    return (object >> PART_BITS) * ROWS_IN_PART
        + (block - FIRST_BLOCK) * ROWS_IN_BLOCK
        + Math.min(row, ROWS_IN_BLOCK - 1);
  }

  /// The rowid of 18 letters.
  ///
  /// @throws IllegalArgumentException if the text is no rowid
  public static OraRowid parse(String text) {
    if (text.length() != LENGTH) {
      throw new IllegalArgumentException("a rowid of " + text.length() + " letters");
    }
    return new OraRowid(
        digits(text, 0, 6),
        (int) digits(text, 6, 9),
        digits(text, 9, 15),
        (int) digits(text, 15, LENGTH));
  }

  private static long digits(String text, int from, int to) {
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = LETTERS.indexOf(text.charAt(i));
      if (digit < 0) {
        throw new IllegalArgumentException("a rowid with the letter " + text.charAt(i));
      }
      value = value << 6 | digit;
    }
    return value;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(LENGTH);
    letters(text, object, 6);
    letters(text, file, 3);
    letters(text, block, 6);
    letters(text, row, 3);
    return text.toString();
  }

  private static void letters(StringBuilder text, long value, int count) {
    for (int i = count - 1; i >= 0; i--) {
      text.append(LETTERS.charAt((int) ((value >>> (6 * i)) & 63)));
    }
  }
}
