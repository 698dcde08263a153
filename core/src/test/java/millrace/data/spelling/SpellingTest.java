package millrace.data.spelling;

import static org.assertj.core.api.Assertions.assertThat;

import millrace.data.Type;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a user sees of a value that was read from text and written as text.
class SpellingTest {

  @ParameterizedTest
  @CsvSource({
    "boolean, TRUE, true",
    "boolean, f, false",
    "boolean, On, true",
    "boolean, 0, false",
    "boolean, 2, refused",
    "boolean, tr, refused",
    "int64, -9223372036854775808, -9223372036854775808",
    "int64, 9223372036854775807, 9223372036854775807",
    "int64, 9223372036854775808, refused",
    "int64, -9223372036854775809, refused",
    "int64, 00000000000000000000000007, 7",
    "int64, 0000000000000000000000000, 0",
    "int64, +5, 5",
    "int64, -0, 0",
    "int64, -, refused",
    "int64, '', refused",
    "int64, 1.0, refused",
    "int64, ' 1', refused",
    "int64, 1e3, refused",
    "int64, ١٢, refused",
    "int32, 2147483648, refused",
    "int32, -2147483648, -2147483648",
    "int16, 32768, refused",
    "float64, 0.1, 0.1",
    "float64, 1e20, 1e+20",
    "float64, 100000000000000, 100000000000000",
    "float64, 1000000000000000, 1e+15",
    "float64, 0.0001, 0.0001",
    "float64, 0.00001, 1e-05",
    "float64, 4.9E-324, 5e-324",
    "float64, 1.7976931348623157e308, 1.7976931348623157e+308",
    "float64, 1e309, refused",
    "float64, 1e-400, refused",
    "float64, 0e-400, 0",
    "float64, -0, -0",
    "float64, nan, NaN",
    "float64, -nan, refused",
    "float64, -Infinity, -Infinity",
    "float64, inf, Infinity",
    "float64, 1d, refused",
    "float64, 1f, refused",
    "float64, 0x1p3, refused",
    "float64, 1e, refused",
    "float64, e5, refused",
    "float64, ., refused",
    "float64, .5, 0.5",
    "float64, 5., 5",
    "float64, 1e00000000001, 10",
    "float64, 0.30000000000000004, 0.30000000000000004",
    "float32, 0.1, 0.1",
    "float32, 1000000, 1e+06",
    "float32, 100000, 100000",
    "float32, 3.4028235e38, 3.4028235e+38",
    "float32, 3.5e38, refused",
    "float32, 1e-45, 1e-45",
    "float32, 16777217, 1.6777216e+07",
    "date, 2024-02-29, 2024-02-29",
    "date, 2023-02-29, refused",
    "date, 0044-03-15 BC, 0044-03-15 BC",
    "date, 0001-12-31 BC, 0001-12-31 BC",
    "date, 0000-01-01, refused",
    "date, 5874897-12-31, 5874897-12-31",
    "date, 4713-11-24 BC, 4713-11-24 BC",
    "date, infinity, infinity",
    "date, -Infinity, -infinity",
    "date, 2024-2-29, refused",
    "date, 24-02-29, refused",
    "date, 2024-02-29 00:00:00, 2024-02-29",
    "date, 2024-02-29T00:00:00.000, 2024-02-29",
    "date, 0044-03-15 00:00 BC, 0044-03-15 BC",
    "date, 2024-02-29 00:00:00.000001, refused",
    "date, 2024-02-29 24:00:00, refused",
    "date, 2024-02-29 00:00:00+00, refused",
    "date, 2024-02-29T00:00:00Z, refused",
    "date, '2024-02-29 ', refused",
    "time, 12:34:56.789, 12:34:56.789",
    "time, 12:34, 12:34:00",
    "time, 24:00:00, 24:00:00",
    "time, 24:00:01, refused",
    "time, 12:60:00, refused",
    "time, 12:34:60, refused",
    "time, 12:34:56.1234567, refused",
    "time, 12:34:56.123456000, 12:34:56.123456",
    "time, 12:34:56., refused",
    "timestamp, 2024-02-29 12:34:56.789, 2024-02-29 12:34:56.789",
    "timestamp, 2024-02-29T12:34:56, 2024-02-29 12:34:56",
    "timestamp, 2024-02-29, 2024-02-29 00:00:00",
    "timestamp, 2024-02-29 24:00:00, 2024-03-01 00:00:00",
    "timestamp, 2024-02-29 12:34:56+00, refused",
    "timestamp, 2024-02-29 12:34:56Z, refused",
    "timestamp, 294276-12-31 23:59:59.999999, 294276-12-31 23:59:59.999999",
    "timestamp, 4713-11-24 00:00:00 BC, 4713-11-24 00:00:00 BC",
    "timestamp, 294278-01-01 00:00:00, refused",
    "timestamp, infinity, infinity",
    "timestamptz, 2024-02-29 12:34:56+09, 2024-02-29 03:34:56+00",
    "timestamptz, 2024-02-29T12:34:56Z, 2024-02-29 12:34:56+00",
    "timestamptz, 2024-02-29 12:34:56-0330, 2024-02-29 16:04:56+00",
    "timestamptz, 2024-02-29 12:34:56+09:00, 2024-02-29 03:34:56+00",
    "timestamptz, 1850-01-01 12:00:00+00:19:32, 1850-01-01 11:40:28+00",
    "timestamptz, 0044-03-15 12:00:00+00 BC, 0044-03-15 12:00:00+00 BC",
    "timestamptz, 2024-02-29 12:34:56, refused",
    "timestamptz, 2024-02-29 12:34:56+0, refused",
    "timestamptz, 2024-02-29 12:34:56+16, refused",
    "timestamptz, 2024-02-29 12:34:56+09:60, refused",
    "uuid, C0DE0000-1111-2222-3333-444455556666, c0de0000-1111-2222-3333-444455556666",
    "uuid, c0de0000111122223333444455556666, c0de0000-1111-2222-3333-444455556666",
    "uuid, c0de0000-11112222-3333-444455556666a, refused",
    "uuid, {c0de0000-1111-2222-3333-444455556666}, refused",
    "uuid, c0de0000-1111-2222-3333-44445555666g, refused",
    "bytes, \\x00fF, \\x00ff",
    "bytes, \\x, \\x",
    "bytes, \\x0, refused",
    "bytes, 00ff, refused",
    "bytes, \\xzz, refused",
    "text, Ünï, Ünï",
    "text(3), Ünï, Ünï",
    "text(2), Ünï, refused",
    "opaque, 10.0.0.1/8, 10.0.0.1/8",
  })
  void values(String type, String spelling, String again) {
    assertThat(Spelled.again(type(type), spelling)).isEqualTo(again);
  }

  @ParameterizedTest
  @CsvSource({
    "12, 2, 5, 5.00",
    "12, 2, -5.1, -5.10",
    "12, 2, 5.123, refused",
    "12, 2, 5.100, 5.10",
    "12, 2, 5.10000000000000000000000000, 5.10",
    "12, 2, .000, 0.00",
    "12, 2, -0.00, 0.00",
    "12, 2, .5, 0.50",
    "12, 2, 5., 5.00",
    "12, 2, 9999999999.99, 9999999999.99",
    "12, 2, 10000000000, refused",
    "12, 2, 00000000000000000000000001.5, 1.50",
    "12, 2, NaN, NaN",
    "12, 2, Infinity, refused",
    "12, 2, 1e2, 100.00",
    "12, 2, 1.5E-1, 0.15",
    "12, 2, 1.5e-2, refused",
    "12, 2, 0e-10, 0.00",
    "12, 2, 1e10, refused",
    "12, 2, 1e, refused",
    "12, 2, 1e+, refused",
    "12, 2, e1, refused",
    "12, 2, 1e1.0, refused",
    "12, 2, ., refused",
    "12, 2, '', refused",
    "12, 2, '1,5', refused",
    "18, 18, 0.123456789012345678, 0.123456789012345678",
    "18, 18, 1, refused",
    "2, 5, 0.00012, 0.00012",
    "2, 5, 0.00112, refused",
    "18, 0, 999999999999999999, 999999999999999999",
    "38, 4, 1234567890123456789012345678901234.5, 1234567890123456789012345678901234.5000",
    "38, 4, 12345678901234567890123456789012345, refused",
    "38, 4, 1.23456, refused",
    "38, 4, -0, 0.0000",
    "38, 4, nan, NaN",
    "38, 4, -Infinity, refused",
    "20, 22, 0.001, 0.0010000000000000000000",
    "20, 22, 0.01, refused",
    "5, -2, 1234500, 1234500",
    "5, -2, 1234501, refused",
    "5, -2, 12345600, refused",
    "5, -2, 12e3, 12000",
    "0, 0, 0012.3400, 12.3400",
    "0, 0, -.0, 0.0",
    "0, 0, 5., 5",
    "0, 0, infinity, Infinity",
    "0, 0, -Infinity, -Infinity",
    "0, 0, +NaN, refused",
    "0, 0, 1e5, 100000",
    "0, 0, -1.50e-3, -0.00150",
    "0, 0, 0E-10, 0.0000000000",
    "0, 0, -, refused",
    "0, 0, ., refused",
  })
  void decimals(int precision, int scale, String spelling, String again) {
    assertThat(Spelled.again(new Type.Decimal(precision, scale), spelling)).isEqualTo(again);
  }

  private static Type type(String label) {
    return switch (label) {
      case "boolean" -> new Type.Bool();
      case "int16" -> new Type.Int(16);
      case "int32" -> new Type.Int(32);
      case "int64" -> new Type.Int(64);
      case "float32" -> new Type.Float(32);
      case "float64" -> new Type.Float(64);
      case "date" -> new Type.Date();
      case "time" -> new Type.Time();
      case "timestamp" -> new Type.Timestamp(false);
      case "timestamptz" -> new Type.Timestamp(true);
      case "uuid" -> new Type.Uuid();
      case "bytes" -> new Type.Bytes();
      case "text" -> Type.Text.UNLIMITED;
      case "text(2)" -> new Type.Text(2);
      case "text(3)" -> new Type.Text(3);
      case "opaque" -> new Type.Opaque();
      default -> throw new IllegalArgumentException(label);
    };
  }
}
