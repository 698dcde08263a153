package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.data.BytesVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import oracle.sql.Datum;
import oracle.sql.INTERVALDS;
import oracle.sql.INTERVALYM;
import oracle.sql.NUMBER;
import org.jspecify.annotations.Nullable;

/// Whatever bytes a server sends for a number, a time or an interval, they are read exactly, or
/// they are told to be none.
class OracleBytesFuzzTest {

  /// More bytes no NUMBER of a server has.
  private static final int NUMBER_BYTES = 22;

  private static final List<Type.Decimal> DECIMALS =
      List.of(
          Type.Decimal.UNLIMITED,
          new Type.Decimal(38, 10),
          new Type.Decimal(20, 0),
          new Type.Decimal(38, 38));

  private static final LocalDateTime EPOCH = LocalDateTime.of(2000, 1, 1, 0, 0);

  private static final Pattern DAYS =
      Pattern.compile("([+-]?)(\\d{1,12}) (\\d{1,9}):(\\d{1,9}):(\\d{1,9})(?:\\.(\\d{1,9}))?");
  private static final Pattern YEARS = Pattern.compile("([+-]?)(\\d{1,12})-(\\d{1,9})");

  /// The first byte chooses type and scale, the rest is the number: what is read is what the
  /// driver's own class makes of it.
  @FuzzTest
  void aNumberIsReadAsTheDriverReadsIt(byte[] data) throws SQLException {
    if (data.length < 1 || data.length > 1 + NUMBER_BYTES) {
      return;
    }
    byte[] number = Arrays.copyOfRange(data, 1, data.length);
    int chosen = data[0] & 0xFF;
    Type.Decimal type = DECIMALS.get(chosen % DECIMALS.size());
    byte[] out = new byte[260];
    int length = OracleNumbers.text(number, type, out);
    int scale = chosen / DECIMALS.size() % 19;
    long units = OracleNumbers.units(number, scale);
    if (length == 0 && units == OracleNumbers.UNFIT) {
      return;
    }
    BigDecimal value = value(number);
    if (length > 0) {
      BigDecimal read = new BigDecimal(new String(out, 0, length, StandardCharsets.US_ASCII));
      assertThat(read).isEqualByComparingTo(value);
      assertThat(type.precision() == 0 || read.scale() == type.scale()).isTrue();
    }
    if (units != OracleNumbers.UNFIT) {
      assertThat(BigDecimal.valueOf(units, scale)).isEqualByComparingTo(value);
    }
  }

  /// By what Oracle's documentation says of the bytes. The driver's class refuses nothing.
  private static BigDecimal value(byte[] number) throws SQLException {
    if (NUMBER.isValid(number)) {
      return new NUMBER(number).bigDecimalValue();
    }
    boolean isNegative = number[0] >= 0;
    int exponent = ((isNegative ? ~number[0] : number[0]) & 0x7F) - 65;
    int last = isNegative && number[number.length - 1] == 102 ? number.length - 1 : number.length;
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 1; i < last; i++) {
      int digit = isNegative ? 101 - number[i] : number[i] - 1;
      sum = sum.add(BigDecimal.valueOf(digit).scaleByPowerOfTen(2 * (exponent - i + 1)));
    }
    return isNegative ? sum.negate() : sum;
  }

  /// A decimal's spelling goes to the server's bytes and back as it is, or by the driver.
  @FuzzTest
  void aDecimalBecomesTheBytesOfTheDriver(byte[] data) throws SQLException {
    Vector spelled = Vector.of(Type.Decimal.UNLIMITED, 1);
    if (!Spelling.parser(Type.Decimal.UNLIMITED, SpellingStyle.ISO)
        .parse(data, 0, data.length, spelled, 0)) {
      return;
    }
    String text = Spelling.text(Type.Decimal.UNLIMITED, spelled, 0);
    byte[] out = new byte[48];
    int length = OracleNumbers.bytes((BytesVector) spelled, 0, out);
    if (length == 0) {
      return;
    }
    byte[] number = Arrays.copyOf(out, length);
    assertThat(new NUMBER(number).bigDecimalValue()).isEqualByComparingTo(new BigDecimal(text));
    byte[] back = new byte[260];
    int size = OracleNumbers.text(number, Type.Decimal.UNLIMITED, back);
    assertThat(new BigDecimal(new String(back, 0, size, StandardCharsets.US_ASCII)))
        .isEqualByComparingTo(new BigDecimal(text));
  }

  /// 7, 11 or 13 bytes, as the first byte chooses.
  @FuzzTest
  void aTimeIsReadByItsPartsOrRefused(byte[] data) {
    int length = data.length < 1 ? 0 : List.of(7, 11, 13).get((data[0] & 0xFF) % 3);
    if (data.length < 1 + length || length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(data, 1, 1 + length);
    LocalDateTime time = time(bytes);
    long micros;
    try {
      micros = OracleTimes.micros(bytes);
    } catch (DateTimeException _) {
      assertThat(time).isNull();
      return;
    }
    assertThat(time).isNotNull();
    assertThat(micros).isEqualTo(ChronoUnit.MICROS.between(EPOCH, floored(time)));
    boolean isWhole = time.equals(floored(time)) && time.getYear() >= 1 && time.getYear() <= 9999;
    // A server has no year before its century.
    if (isWhole && length < 13 && (bytes[1] & 0xFF) >= 100 && (bytes[1] & 0xFF) < 200) {
      assertThat(OracleTimes.bytes(micros, length)).isEqualTo(bytes);
    }
  }

  private static LocalDateTime floored(LocalDateTime time) {
    return time.truncatedTo(ChronoUnit.MICROS);
  }

  /// The time by what Oracle's documentation says of its bytes; null if it is none.
  private static @Nullable LocalDateTime time(byte[] bytes) {
    int year = 100 * ((bytes[0] & 0xFF) - 100) + (bytes[1] & 0xFF) - 100;
    int nanos = bytes.length < 11 ? 0 : ByteBuffer.wrap(bytes).getInt(7);
    try {
      return LocalDateTime.of(
          year < 0 ? year + 1 : year,
          bytes[2],
          bytes[3],
          bytes[4] - 1,
          bytes[5] - 1,
          bytes[6] - 1,
          nanos);
    } catch (DateTimeException _) {
      return null;
    }
  }

  /// The first byte chooses the kind, the rest is the text. What is taken means what it says.
  @FuzzTest
  void anIntervalMeansWhatItSaysOrIsRefused(byte[] data) throws SQLException {
    if (data.length < 1) {
      return;
    }
    boolean ofDays = (data[0] & 1) == 0;
    String text = new String(data, 1, data.length - 1, StandardCharsets.UTF_8);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    BytesVector from = new BytesVector(1);
    from.append(0, bytes, 0, bytes.length);
    Given given = new Given();
    String wrong =
        (ofDays ? OracleCells.DAYS_TO_SECONDS : OracleCells.YEARS_TO_MONTHS)
            .setter()
            .apply(Type.Text.UNLIMITED)
            .set(given, 1, from, 0);
    // The driver passes over what stands around it.
    List<Object> meant = ofDays ? days(text.trim()) : years(text.trim());
    if (wrong != null) {
      assertThat(given.value).isNull();
      return;
    }
    Datum datum = (Datum) given.value;
    assertThat(datum).isNotNull();
    String spelled =
        ofDays ? INTERVALDS.toString(datum.getBytes()) : INTERVALYM.toString(datum.getBytes());
    assertThat(meant).as("'%s' became %s", text, spelled).isNotEmpty();
    assertThat(ofDays ? days(spelled) : years(spelled)).as(spelled).isEqualTo(meant);
  }

  private static List<Object> days(String text) {
    Matcher parts = DAYS.matcher(text);
    if (!parts.matches()) {
      return List.of();
    }
    String fraction = parts.group(6) == null ? "" : parts.group(6);
    Duration size =
        Duration.ofDays(Long.parseLong(parts.group(2)))
            .plusHours(Long.parseLong(parts.group(3)))
            .plusMinutes(Long.parseLong(parts.group(4)))
            .plusSeconds(Long.parseLong(parts.group(5)))
            .plusNanos(Long.parseLong((fraction + "000000000").substring(0, 9)));
    return new ArrayList<>(List.of(parts.group(1).equals("-") ? size.negated() : size));
  }

  private static List<Object> years(String text) {
    Matcher parts = YEARS.matcher(text);
    if (!parts.matches()) {
      return List.of();
    }
    BigDecimal months =
        new BigDecimal(parts.group(2))
            .multiply(BigDecimal.valueOf(12))
            .add(new BigDecimal(parts.group(3)));
    return new ArrayList<>(List.of(parts.group(1).equals("-") ? months.negate() : months));
  }
}
