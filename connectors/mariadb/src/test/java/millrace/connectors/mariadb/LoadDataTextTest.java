package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Types;
import org.junit.jupiter.api.Test;

/// Rows as the text of a load, byte by byte.
class LoadDataTextTest {

  /// More than the buffer holds at first, and than what it grows to next.
  private static final int LARGE = 3 << 20;

  private final LoadDataText text = new LoadDataText();

  private String all() {
    return new String(bytes(Integer.MAX_VALUE), StandardCharsets.ISO_8859_1);
  }

  private byte[] bytes(int most) {
    try (InputStream rows = text.rows(most)) {
      return rows.readAllBytes();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void eachKindOfValueIsSpelledAsTheServerReadsIt() {
    text.setNull(1, Types.INTEGER);
    text.setBoolean(2, true);
    text.setBoolean(3, false);
    text.setLong(4, Long.MIN_VALUE);
    text.setDouble(5, -1.5e-300);
    text.setBigDecimal(6, new BigDecimal("1E+3"));
    text.setBytes(7, new byte[] {0, 0x1F, (byte) 0xF0, (byte) 0xAB});
    text.setString(8, "a\tb\nc\\d\0e\r'é");
    assertThat(text.endRow()).isEqualTo(text.length());
    String utf8 = new String("é".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    assertThat(all())
        .isEqualTo(
            "\\N\t1\t0\t-9223372036854775808\t-1.5E-300\t1000\t001FF0AB\ta\\\tb\\\nc\\\\d\\0e\r'"
                + utf8
                + "\n");
  }

  /// Only what stands between two places is the text.
  @Test
  void aTextIsAPartOfItsBytes() {
    byte[] bytes = "x\\value\\x".getBytes(StandardCharsets.US_ASCII);
    text.setText(1, bytes, 2, 7);
    text.setText(2, bytes, 7, 7);
    text.endRow();
    assertThat(all()).isEqualTo("value\t\n");
  }

  @Test
  void aRowThatIsDroppedLeavesNothing() {
    text.setLong(1, 1);
    assertThat(text.endRow()).isEqualTo(2);
    text.setLong(1, 22);
    text.dropRow();
    text.setLong(1, 333);
    assertThat(text.endRow()).isEqualTo(4);
    assertThat(all()).isEqualTo("1\n333\n");
    text.clear();
    assertThat(text.length()).isZero();
    text.setLong(1, 4);
    assertThat(text.endRow()).isEqualTo(2);
    assertThat(all()).isEqualTo("4\n");
  }

  /// Whatever it is that has no room any more, and up to the last byte.
  @Test
  void valuesLargerThanTheBufferAreWhole() {
    String large = "\t".repeat(LARGE / 2);
    for (int more : new int[] {-1, 0, 1}) {
      text.clear();
      String filled = "x".repeat((1 << 20) - 1 + more);
      text.setString(1, filled);
      text.setLong(2, 7);
      text.setBytes(3, new byte[LARGE / 2]);
      text.setString(4, large);
      text.endRow();
      assertThat(all())
          .isEqualTo(
              filled + "\t7\t" + "0".repeat(LARGE) + "\t" + large.replace("\t", "\\\t") + "\n");
    }
  }

  /// One byte is left, and each kind of value needs more.
  @Test
  void aValueThatHasNoRoomByAByteIsWhole() {
    byte[] filling = new byte[(1 << 19) - 1];
    String filled = "0".repeat(2 * filling.length) + "\t";
    text.setBytes(1, filling);
    text.setLong(2, 7);
    text.endRow();
    assertThat(all()).isEqualTo(filled + "7\n");
    LoadDataText second = new LoadDataText();
    second.setBytes(1, filling);
    second.setString(2, "\t");
    second.endRow();
    assertThat(second.length()).isEqualTo(filled.length() + 3);
    LoadDataText third = new LoadDataText();
    third.setBytes(1, filling);
    third.setBytes(2, new byte[1]);
    third.endRow();
    assertThat(third.length()).isEqualTo(filled.length() + 3);
  }

  /// What is read at once becomes a packet, which the server limits.
  @Test
  void noMoreIsReadAtOnceThanAPacketHolds() throws IOException {
    text.setString(1, "abcdefg");
    text.endRow();
    byte[] into = new byte[8];
    try (InputStream rows = text.rows(3)) {
      assertThat(rows.read(into, 1, 7)).isEqualTo(3);
      assertThat(rows.read(into, 0, 2)).isEqualTo(2);
      assertThat(rows.read(into, 0, 8)).isEqualTo(3);
      assertThat(into).startsWith('f', 'g', '\n');
      assertThat(rows.read(into, 0, 8)).isEqualTo(-1);
    }
  }
}
