package millrace.data.spelling.nested;

import java.util.Arrays;

/// The parts of one list or struct: the elements, or the members in the order of their type. Their
/// bytes stand one behind the other in one buffer, which is used again for the next value.
public final class Parts {

  private byte[] bytes = new byte[256];
  private int length;
  private int[] starts = new int[16];
  private int[] ends = new int[16];
  private boolean[] nulls = new boolean[16];
  private int count;

  /// Of each member, its part; -1 if it has none.
  private int[] places = {};

  /// Begins with a list.
  void clear() {
    length = 0;
    count = 0;
    places = new int[0];
  }

  /// Begins with a struct of so many members, each of which is missing until it is placed.
  void clear(int members) {
    length = 0;
    count = 0;
    if (places.length != members) {
      places = new int[members];
    }
    Arrays.fill(places, -1);
  }

  /// Begins a part.
  void begin() {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      nulls = Arrays.copyOf(nulls, 2 * count);
    }
    starts[count] = length;
  }

  void put(byte b) {
    reserve(1);
    bytes[length++] = b;
  }

  void put(byte[] from, int start, int end) {
    reserve(end - start);
    System.arraycopy(from, start, bytes, length, end - start);
    length += end - start;
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, more), 2 * bytes.length));
    }
  }

  /// Ends a part.
  void end(boolean isNull) {
    ends[count] = length;
    nulls[count] = isNull;
    count++;
  }

  /// Drops blanks from the end of the part that has begun.
  void trim() {
    while (length > starts[count] && bytes[length - 1] == ' ') {
      length--;
    }
  }

  /// How long the part is that has begun.
  int size() {
    return length - starts[count];
  }

  /// Whether the part that has begun is the word NULL, in any case.
  boolean isNullWord() {
    return isNullWord(bytes, starts[count], length);
  }

  static boolean isNullWord(byte[] text, int start, int end) {
    boolean isWord = end - start == 4;
    for (int i = 0; isWord && i < 4; i++) {
      isWord = (text[start + i] & 0xDF) == "NULL".charAt(i);
    }
    return isWord;
  }

  /// The part that ended last is that member; false if the member has one already.
  boolean place(int member) {
    boolean isFirst = places[member] < 0;
    places[member] = count - 1;
    return isFirst;
  }

  /// How many parts there are.
  public int count() {
    return count;
  }

  /// Where a member stands among the parts; -1 if it does not.
  public int of(int member) {
    return places[member];
  }

  /// Whether a part is null.
  public boolean isNull(int part) {
    return nulls[part];
  }

  /// Where all parts lie, each from its start to its end.
  public byte[] bytes() {
    return bytes;
  }

  public int start(int part) {
    return starts[part];
  }

  public int end(int part) {
    return ends[part];
  }
}
