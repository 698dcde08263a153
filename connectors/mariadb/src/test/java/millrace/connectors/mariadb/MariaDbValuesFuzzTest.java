package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.sql.rowset.RowSetProvider;
import millrace.connectors.sql.types.TypeTable.Getter;
import millrace.data.LongVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.JsonCheck;
import millrace.data.spelling.Spelling;
import org.jspecify.annotations.Nullable;

/// Whatever the server has for a number or a time is read exactly or told, and what goes to it
/// means what it did.
class MariaDbValuesFuzzTest {

  private static final LocalDateTime EPOCH = LocalDateTime.of(2000, 1, 1, 0, 0);
  private static final int DATE_LETTERS = 10;

  private static final List<String> SHAPES =
      List.of(
          "0000-00-00",
          "0000-00-00 00:00:00",
          "0000-00-00 00:00:00.000000",
          "00:00:00",
          "00:00:00.000",
          "-000:00:00");

  /// No getter of these looks at the row, which is empty.
  private static @Nullable String get(Getter getter, Object value, Vector into)
      throws SQLException {
    try (ResultSet none = RowSetProvider.newFactory().createCachedRowSet()) {
      return getter.get(value, none, 1, into, 0);
    }
  }

  /// The first byte chooses what the server's text looks like, the others are its digits.
  @FuzzTest
  void aTimeIsReadByItsPartsOrTold(byte[] data) throws SQLException {
    if (data.length < 1) {
      return;
    }
    String shape = SHAPES.get((data[0] & 0xFF) % SHAPES.size());
    StringBuilder text = new StringBuilder();
    int at = 1;
    for (int i = 0; i < shape.length(); i++) {
      char letter = shape.charAt(i);
      text.append(
          letter == '0' && at < data.length ? (char) ('0' + (data[at++] & 0xFF) % 10) : letter);
    }
    boolean isTime = shape.indexOf(':') < DATE_LETTERS && shape.indexOf(':') >= 0;
    Type type =
        isTime
            ? new Type.Time()
            : shape.length() == DATE_LETTERS ? new Type.Date() : new Type.Timestamp(true);
    Vector into = Vector.of(type, 1);
    String wrong = get(MariaDbCells.TIMES.getter().apply(type), text.toString(), into);
    Long meant = meant(text.toString(), isTime);
    if (meant == null) {
      assertThat(wrong).isEqualTo("holds text '" + text + "'");
    } else {
      assertThat(wrong).isNull();
      assertThat(((LongVector) into).values[0]).as(text.toString()).isEqualTo(meant);
    }
  }

  /// Days or microseconds; null if there is no such time.
  private static @Nullable Long meant(String text, boolean isTime) {
    try {
      if (isTime && text.matches("24:00:00(\\.0+)?")) {
        return 86_400_000_000L;
      }
      if (isTime) {
        return LocalTime.parse(text).toNanoOfDay() / 1000;
      }
      LocalDate day = LocalDate.parse(text.substring(0, DATE_LETTERS));
      if (day.getYear() < 1) {
        return null;
      }
      if (text.length() == DATE_LETTERS) {
        return ChronoUnit.DAYS.between(EPOCH.toLocalDate(), day);
      }
      // The end of a day, which the server never writes, is read too.
      boolean isEnd = text.matches(".* 24:00:00(\\.0+)?");
      return ChronoUnit.MICROS.between(
          EPOCH,
          isEnd ? day.plusDays(1).atStartOfDay() : LocalDateTime.parse(text.replace(' ', 'T')));
    } catch (DateTimeException _) {
      return null;
    }
  }

  /// The first byte says how many bits the column has, the others are the bits.
  @FuzzTest
  void bitsAreTheNumberThatTheySpell(byte[] data) throws SQLException {
    if (data.length < 1) {
      return;
    }
    int count = 1 + (data[0] & 63);
    int size = (count + 7) / 8;
    byte[] bits = Arrays.copyOfRange(data, 1, 1 + size);
    bits[0] &= (byte) (0xFF >> (8 * size - count));
    Type type =
        count == 1 ? new Type.Bool() : count == 64 ? new Type.Decimal(20, 0) : new Type.Int(64);
    Vector into = Vector.of(type, 1);
    Getter getter = MariaDbCells.bits("bit(" + count + ")").getter().apply(type);
    assertThat(get(getter, bits, into)).isNull();
    BigInteger number = new BigInteger(1, bits);
    assertThat(Spelling.text(type, into, 0))
        .isEqualTo(count > 1 ? number.toString() : number.signum() == 0 ? "false" : "true");
  }

  /// A number of a JSON document that MySQL is said to keep is the same number to it: a whole one
  /// of 64 bits, or a double of which it is the shortest spelling.
  @FuzzTest
  void aNumberThatMySqlKeepsIsTheSame(byte[] data) {
    boolean isNumber =
        data.length > 0
            && (data[0] == '-' || (data[0] >= '0' && data[0] <= '9'))
            && data[data.length - 1] >= '0'
            && data[data.length - 1] <= '9'
            && JsonCheck.isValid(data, 0, data.length);
    if (!isNumber) {
      return;
    }
    String spelled = JsonNumbers.spelled(data, 0, data.length);
    if (spelled == null) {
      return;
    }
    byte[] bytes = spelled.getBytes(StandardCharsets.US_ASCII);
    assertThat(JsonCheck.isValid(bytes, 0, bytes.length)).as(spelled).isTrue();
    String text = new String(data, StandardCharsets.US_ASCII);
    if (spelled.matches("-?[0-9]+")) {
      BigInteger whole = new BigInteger(spelled);
      assertThat(spelled).isEqualTo(text);
      assertThat(whole.bitLength()).isLessThanOrEqualTo(whole.signum() < 0 ? 63 : 64);
      return;
    }
    double kept = Double.parseDouble(spelled);
    assertThat(kept).isEqualTo(Double.parseDouble(text));
    assertThat(Double.toString(kept).startsWith("-")).isEqualTo(text.startsWith("-"));
    assertThat(kept).isFinite();
    assertThat(kept == 0 || new BigDecimal(Double.toString(kept)).compareTo(decimal(text)) == 0)
        .as("%s becomes %s", text, kept)
        .isTrue();
  }

  /// Zero may have any exponent, and nothing else here has one that is too long.
  private static BigDecimal decimal(String text) {
    return new BigDecimal(text);
  }

  /// Parts between bytes 255 are the values of a row: the text of LOAD DATA, read by the rules of
  /// its documentation, gives them back.
  @FuzzTest
  void aRowOfLoadDataIsReadBack(byte[] data) {
    List<byte[]> values = new ArrayList<>();
    int from = 0;
    for (int i = 0; i <= data.length; i++) {
      if (i == data.length || data[i] == -1) {
        values.add(Arrays.copyOfRange(data, from, i));
        from = i + 1;
      }
    }
    LoadDataText text = new LoadDataText();
    List<byte[]> expected = new ArrayList<>();
    for (int row = 0; row < 2; row++) {
      for (int i = 0; i < values.size(); i++) {
        byte[] value = values.get(i);
        text.setText(i + 1, value, 0, value.length);
      }
      if (row == 0) {
        // One that is refused leaves nothing.
        text.dropRow();
      } else {
        expected.addAll(values);
        text.endRow();
      }
    }
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    byte[] part = new byte[64];
    try (InputStream rows = text.rows(7)) {
      for (int read = rows.read(part); read >= 0; read = rows.read(part)) {
        assertThat(read).isLessThanOrEqualTo(7);
        sent.write(part, 0, read);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertThat(read(sent.toByteArray())).containsExactlyElementsOf(expected);
  }

  /// The values of one line.
  private static List<byte[]> read(byte[] line) {
    List<byte[]> values = new ArrayList<>();
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    for (int i = 0; i < line.length; i++) {
      byte b = line[i];
      if (b == '\\') {
        i++;
        value.write(line[i] == '0' ? 0 : line[i]);
      } else if (b == '\t' || b == '\n') {
        values.add(value.toByteArray());
        value.reset();
        assertThat(b == '\n').isEqualTo(i == line.length - 1);
      } else {
        value.write(b);
      }
    }
    assertThat(value.size()).isZero();
    return values;
  }
}
