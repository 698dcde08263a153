package millrace.connectors.couchdb.json;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import millrace.connectors.json.Json;
import millrace.connectors.json.Members;
import millrace.connectors.json.Range;
import org.jspecify.annotations.Nullable;

/// Cuts a response of CouchDB into its rows as it arrives: the elements of the array `rows` or
/// `results` of the outermost object. What a row holds is found by where it lies; no document is
/// ever made into objects. The members that are wanted are found on the same walk that finds where
/// the row ends.
///
/// One thread uses it. Places hold until {@link #letGo}.
public final class RowScanner {

  /// So much of a page should be taken in at a time: of a page that turns out larger, the rest
  /// waits. An array that holds it should not be larger than a region of the garbage collector,
  /// which gives large arrays whole regions, of 1 MB in a small heap.
  public static final int CHUNK_BYTES = 900_000;

  /// Twice as large four times, 16 times this, it holds a chunk of a page and little more.
  private static final int FIRST_BYTES = CHUNK_BYTES / 15;

  private static final byte[] TOTAL = "total_rows".getBytes(StandardCharsets.US_ASCII);

  /// A response that ends too early or is no such object.
  public static final class CutOff extends IOException {
    private static final long serialVersionUID = 1L;

    public CutOff(String message) {
      super(message);
    }
  }

  private final InputStream in;
  private final byte[] arrayName;
  private final List<byte[]> wanted;
  private final Members members = new Members();
  private final int[] memberStarts;
  private final int[] memberEnds;
  private byte[] buffer;
  private int at;
  private int limit;
  private boolean ended;
  private boolean inArray;
  private long total = -1;
  private boolean firstRow = true;
  private int rowStart;
  private int rowEnd;

  /// @param in the response's body; the caller closes it
  /// @param arrayName of the member whose elements are wanted
  /// @param wanted names of the members of rows that are asked for
  public RowScanner(InputStream in, String arrayName, List<byte[]> wanted) {
    this(in, arrayName, wanted, new byte[FIRST_BYTES]);
  }

  /// With a buffer that another scanner has done with.
  public RowScanner(InputStream in, String arrayName, List<byte[]> wanted, byte[] buffer) {
    this.in = in;
    this.arrayName = arrayName.getBytes(StandardCharsets.US_ASCII);
    this.wanted = wanted;
    this.buffer = buffer;
    memberStarts = new int[wanted.size()];
    memberEnds = new int[wanted.size()];
  }

  /// The number that stands before the rows as `total_rows`; -1 if none does. Waits for it.
  ///
  /// @throws CutOff if the response ends before its rows, or is no such object
  /// @throws IOException if it can't be read on
  public long total() throws IOException {
    if (!inArray) {
      enterArray();
    }
    return total;
  }

  /// Goes on to the next row; false if there are no more, and the response is complete.
  ///
  /// @throws CutOff if the response ends within the array, or is no such object
  /// @throws IOException if it can't be read on
  public boolean next() throws IOException {
    if (!inArray) {
      enterArray();
    }
    int i = token();
    if (buffer[i] == ']') {
      at = i + 1;
      finishObject();
      return false;
    }
    if (!firstRow) {
      if (buffer[i] != ',') {
        throw malformed(i);
      }
      at = i + 1;
      i = token();
    }
    firstRow = false;
    at = i;
    int length = row();
    rowStart = at;
    rowEnd = at + length;
    at = rowEnd;
    return true;
  }

  /// The length of the row that begins where we stand, read whole; and where its members lie.
  private int row() throws IOException {
    Arrays.fill(memberEnds, -1);
    if (buffer[at] != '{') {
      return complete();
    }
    members.open(buffer, at, limit);
    while (true) {
      switch (members.next()) {
        case MEMBER -> {
          for (int i = 0; i < memberEnds.length; i++) {
            if (memberEnds[i] < 0 && members.isKey(wanted.get(i))) {
              memberStarts[i] = members.valueStart;
              memberEnds[i] = members.valueEnd;
            }
          }
        }
        case END -> {
          return members.valueEnd - at;
        }
        case INCOMPLETE -> {
          // A row that is not all there is looked at again when twice as much is.
          fill(Math.max(1, limit - at));
          Arrays.fill(memberEnds, -1);
          members.open(buffer, at, limit);
        }
        case MALFORMED -> throw malformed(at);
      }
    }
  }

  /// The rows so far have been seen: their bytes need not be kept any more.
  public void letGo() {
    System.arraycopy(buffer, at, buffer, 0, limit - at);
    limit -= at;
    at = 0;
  }

  /// How many bytes have been seen and are kept.
  public int bytesBuffered() {
    return at;
  }

  /// The bytes that the rows lie in.
  public byte[] bytes() {
    return buffer;
  }

  /// Where the row begins.
  int rowStart() {
    return rowStart;
  }

  /// The index after the row.
  int rowEnd() {
    return rowEnd;
  }

  private void enterArray() throws IOException {
    int i = token();
    if (buffer[i] != '{') {
      throw malformed(i);
    }
    at = i + 1;
    boolean found = false;
    while (!found) {
      i = token();
      if (buffer[i] == ',') {
        at = i + 1;
        i = token();
      }
      if (buffer[i] != '"') {
        throw malformed(i);
      }
      found = enterMember();
    }
    inArray = true;
  }

  /// Reads a member's name, and its value unless it is the array: then stands behind its bracket.
  private boolean enterMember() throws IOException {
    int keyLength = complete();
    boolean wanted = Json.is(arrayName, buffer, at + 1, at + keyLength - 1);
    boolean isTotal = Json.is(TOTAL, buffer, at + 1, at + keyLength - 1);
    at += keyLength;
    int colon = token();
    if (buffer[colon] != ':') {
      throw malformed(colon);
    }
    at = colon + 1;
    at = token();
    if (wanted && buffer[at] == '[') {
      at++;
      return true;
    }
    int length = complete();
    if (isTotal) {
      total = number(at, length);
    }
    at += length;
    return false;
  }

  /// A whole number, or -1 if it is none.
  private long number(int start, int length) {
    String text = new String(buffer, start, length, StandardCharsets.US_ASCII);
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
  }

  /// The length of the value that begins where we stand, read whole.
  private int complete() throws IOException {
    int end = Json.value(buffer, at, limit);
    while (end < 0) {
      // A value that is not all there is looked at again when twice as much is.
      fill(Math.max(1, limit - at));
      end = Json.value(buffer, at, limit);
    }
    if (end == at) {
      throw malformed(at);
    }
    return end - at;
  }

  private void finishObject() throws IOException {
    while (true) {
      int i = token();
      at = i + 1;
      if (buffer[i] == '}') {
        return;
      }
      if (buffer[i] != ',') {
        throw malformed(i);
      }
      at = token();
      if (buffer[at] != '"' || enterMember()) {
        throw malformed(at);
      }
    }
  }

  /// The index of the next byte that is no white space.
  private int token() throws IOException {
    at = Json.space(buffer, at, limit);
    while (at == limit) {
      fill(1);
      at = Json.space(buffer, at, limit);
    }
    return at;
  }

  /// Reads on until there are at least so many bytes more, or the response ends.
  ///
  /// @throws CutOff if it has ended already
  private void fill(int wanted) throws IOException {
    if (ended) {
      throw new CutOff("the response ends too early");
    }
    int target = Math.addExact(limit, wanted);
    if (target > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(target, Math.multiplyExact(2, buffer.length)));
    }
    while (limit < target && !ended) {
      int count = in.read(buffer, limit, buffer.length - limit);
      ended = count < 0;
      limit += Math.max(0, count);
    }
  }

  private CutOff malformed(int where) {
    int end = Math.min(limit, where + 60);
    return new CutOff(
        "the response is not what CouchDB sends, at: "
            + new String(buffer, where, end - where, StandardCharsets.UTF_8));
  }

  /// Where the value of a member of the row lies; null if the row has none of that name.
  ///
  /// @param number of the name among those wanted
  @Nullable
  public Range member(int number) {
    return memberEnds[number] < 0 ? null : new Range(memberStarts[number], memberEnds[number]);
  }
}
