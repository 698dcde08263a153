package millrace.connectors.duckdb.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import millrace.connectors.duckdb.read.PageHeader.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever stands before a page, it is a header that says all that it must, or it is told to be
/// none; and no byte of a page changes without a word.
class PageHeaderFuzzTest {

  /// By their numbers in the format.
  private static final List<Kind> KINDS = List.of(Kind.values());

  private static final int END_BYTES = 8;

  private static void varint(ByteArrayOutputStream out, long value) {
    long left = value;
    for (; (left & ~0x7FL) != 0; left >>>= 7) {
      out.write((int) (left & 0x7F) | 0x80);
    }
    out.write((int) left);
  }

  private static void number(ByteArrayOutputStream out, int step, int value) {
    out.write(step << 4 | 5);
    varint(out, (value << 1 ^ value >> 31) & 0xFFFFFFFFL);
  }

  /// A header as Parquet's format has it, with statistics, which are passed over.
  private static byte[] header(
      Kind kind, int bytes, int values, @Nullable Integer checksum, byte[] statistics) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    number(out, 1, KINDS.indexOf(kind));
    number(out, 1, bytes);
    number(out, 1, bytes);
    int last = 3;
    if (checksum != null) {
      number(out, 1, checksum);
      last = 4;
    }
    if (kind != Kind.INDEX) {
      int field = kind == Kind.DATA ? 5 : kind == Kind.DICTIONARY ? 7 : 8;
      out.write((field - last) << 4 | 12);
      number(out, 1, values);
      number(out, 1, 0);
      if (kind == Kind.DATA) {
        number(out, 1, 3);
        number(out, 1, 3);
        // Statistics: the most, and a list of lists that no version has.
        out.write(1 << 4 | 12);
        out.write(1 << 4 | 8);
        varint(out, statistics.length);
        out.writeBytes(statistics);
        out.write(6 << 4 | 9);
        out.write(2 << 4 | 9);
        out.write(1 << 4 | 3);
        out.write(7);
        out.write(0xF0 | 1);
        varint(out, 3);
        out.writeBytes(new byte[] {1, 2, 1});
        out.write(0);
      }
      out.write(0);
    }
    out.write(0);
    return out.toByteArray();
  }

  @FuzzTest
  void aHeaderSaysAllOrIsNone(byte[] data) {
    ByteBuffer buffer = ByteBuffer.wrap(data);
    PageHeader header;
    try {
      header = PageHeader.read(buffer);
    } catch (DataFormatException | BufferUnderflowException _) {
      return;
    }
    assertThat(header.length()).isEqualTo(buffer.position()).isPositive();
    assertThat(header.bytes()).isNotNegative();
    assertThat(header.values()).isNotNegative();
    byte[] plain =
        header(header.kind(), header.bytes(), header.values(), header.checksum(), new byte[0]);
    try {
      PageHeader again = PageHeader.read(ByteBuffer.wrap(plain));
      assertThat(again)
          .isEqualTo(
              new PageHeader(
                  header.kind(), plain.length, header.bytes(), header.values(), header.checksum()));
    } catch (DataFormatException e) {
      throw new AssertionError(e);
    }
    for (int end = 0; end < header.length(); end++) {
      int cut = end;
      org.assertj.core.api.Assertions.assertThatThrownBy(
              () -> PageHeader.read(ByteBuffer.wrap(data, 0, cut)))
          .isInstanceOfAny(BufferUnderflowException.class, DataFormatException.class);
    }
  }

  /// The first two bytes choose a byte of the file and what becomes of it; the others are pages,
  /// with byte 255 between, each with a byte in front that chooses its kind.
  @FuzzTest
  void noByteOfAPageChangesWithoutAWord(byte[] data) throws IOException {
    if (data.length < 4) {
      return;
    }
    List<byte[]> pages = new ArrayList<>();
    int from = 2;
    for (int i = 2; i <= data.length; i++) {
      if (i == data.length || data[i] == -1) {
        if (i > from) {
          pages.add(Arrays.copyOfRange(data, from, i));
        }
        from = i + 1;
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("PAR1".getBytes(StandardCharsets.US_ASCII));
    List<Integer> starts = new ArrayList<>();
    List<Integer> bodies = new ArrayList<>();
    long values = 0;
    for (byte[] page : pages) {
      // One of rows ends the column.
      boolean isLast = starts.size() == pages.size() - 1;
      Kind kind = isLast ? Kind.DATA_2 : KINDS.get(page[0] & 3);
      byte[] body = Arrays.copyOfRange(page, 1, page.length);
      int count = kind == Kind.DATA || kind == Kind.DATA_2 ? 1 + (page[0] >> 2 & 7) : 0;
      CRC32 sum = new CRC32();
      sum.update(body);
      starts.add(out.size());
      out.writeBytes(header(kind, body.length, count, (int) sum.getValue(), body));
      bodies.add(out.size());
      out.writeBytes(body);
      values += count;
    }
    if (pages.isEmpty()) {
      return;
    }
    int end = out.size();
    out.writeBytes(new byte[END_BYTES]);
    byte[] file = out.toByteArray();
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(end, 0);
    ColumnPages all = new ColumnPages("a", 0, 0, values, 4, end - 4L, values);
    Path path = Files.createTempFile("pages", ".parquet");
    try {
      assertThat(damage(path, file, all)).isNull();
      int page = (data[0] & 0xFF) % pages.size();
      int length = pages.get(page).length - 1;
      int change = data[1] == 0 ? 1 : data[1];
      if (length > 0) {
        int at = bodies.get(page) + ((data[0] & 0xFF) / pages.size()) % length;
        file[at] ^= (byte) change;
        assertThat(damage(path, file, all))
            .contains("column \"a\"")
            .endsWith(
                "byte " + starts.get(page) + "): the page's bytes do not agree with its checksum");
        file[at] ^= (byte) change;
      }
      // What stands in the headers may say the same in two ways; whatever it is, a walk ends.
      int other = 4 + (data[0] & 0xFF) % (end - 4);
      file[other] ^= (byte) change;
      String damage = damage(path, file, all);
      assertThat(damage == null || damage.contains("column \"a\"")).isTrue();
      // What is cut off is missed.
      ColumnPages more = new ColumnPages("a", 0, 0, values, 4, end - 4L, values + 1);
      file[other] ^= (byte) change;
      assertThat(damage(path, file, more)).contains("the footer says " + (values + 1));
    } finally {
      Files.delete(path);
    }
  }

  /// Statistics have values of the column, which may be long: what is looked at first is a part of
  /// such a header.
  @ParameterizedTest
  @ValueSource(ints = {4_000, 5_000, 40_000})
  void aLongHeaderIsNoDamage(int bytes) throws IOException {
    byte[] pages = new byte[bytes + 3];
    Arrays.fill(pages, (byte) 1);
    pages[2] = 0;
    pages[bytes] = -1;
    noByteOfAPageChangesWithoutAWord(pages);
  }

  private static @Nullable String damage(Path path, byte[] file, ColumnPages pages)
      throws IOException {
    Files.write(path, file);
    try (PageWalk walk = PageWalk.of(path)) {
      return walk.damage(pages, () -> false);
    }
  }
}
