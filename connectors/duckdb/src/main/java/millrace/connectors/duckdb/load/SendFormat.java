package millrace.connectors.duckdb.load;

import java.util.Locale;
import millrace.connectors.duckdb.DuckDbTypes;
import millrace.data.Decimals;
import millrace.data.Temporals;
import millrace.data.Type;

/// How values of a type go into a column.
///
/// @param send how they are handed over
/// @param sql the expression that makes the column's value, with `%s` for what was handed over
/// @param min least value, for values held in longs
/// @param max greatest value, for values held in longs
/// @param unit what values must be a multiple of
record SendFormat(Send send, String sql, long min, long max, long unit) {

  /// The last microsecond that DuckDB has, 294247-01-10 04:00:54.775806, counted from 2000. Ours
  /// begin after its first, so that there is no limit below.
  private static final long LAST_MICROS = Long.MAX_VALUE - 1 - Temporals.EPOCH_MICROS;

  private static final long NANOS_MICROS_MAX = Long.MAX_VALUE / 1000 - 1;

  private SendFormat(Send send, String sql) {
    this(send, sql, Long.MIN_VALUE, Long.MAX_VALUE, 1);
  }

  /// How values of a type go into a column of that declaration.
  ///
  /// @param type what {@link DuckDbTypes#accepted} said, or the type that {@link
  ///   DuckDbTypes#declaration} came from
  static SendFormat of(Type type, String declared) {
    return switch (type) {
      case Type.Bool _ -> new SendFormat(Send.BOOLEAN, "%s");
      case Type.Int _ -> integer(declared);
      case Type.Float(int bits) -> new SendFormat(bits == 32 ? Send.FLOAT : Send.DOUBLE, "%s");
      case Type.Decimal decimal -> decimal(decimal, declared);
      case Type.Date _ ->
          new SendFormat(
              Send.INT32,
              "make_date(%s)",
              -Integer.MAX_VALUE + 1 - Temporals.EPOCH_DAYS,
              Integer.MAX_VALUE - 1 - Temporals.EPOCH_DAYS,
              1);
      case Type.Time _ ->
          new SendFormat(
              Send.INT64,
              "CASE WHEN %1$s = 86400000000 THEN TIME '24:00:00'"
                  + " ELSE TIME '00:00:00' + to_microseconds(%1$s) END",
              0,
              Temporals.DAY_MICROS,
              1);
      case Type.Timestamp(boolean zoned) -> timestamp(zoned, declared);
      case Type.Uuid _ -> new SendFormat(Send.UUID, "CAST(%s AS UUID)");
      case Type.Json _ -> new SendFormat(Send.TEXT, "CAST(%s AS JSON)");
      case Type.Bytes _ -> new SendFormat(Send.HEX, "unhex(%s)");
      case Type.Opaque _ when type.nested() != null -> nested(declared);
      case Type.Text _, Type.Opaque _ -> text(declared);
    };
  }

  private static SendFormat text(String declared) {
    if (declared.equals("VARCHAR")) {
      return new SendFormat(Send.TEXT, "%s");
    }
    // An enum's values may contain what means something in a format.
    return new SendFormat(
        Send.TEXT,
        "CAST(" + Spellings.checked(declared, "%s") + " AS " + declared.replace("%", "%%") + ")");
  }

  private static SendFormat nested(String declared) {
    String texts = DuckDbTypes.jsonAsText(declared);
    if (texts.equals(declared)) {
      return text(declared);
    }
    String sql = "CAST(" + text(texts).sql() + " AS " + declared.replace("%", "%%") + ")";
    return new SendFormat(Send.TEXT, sql);
  }

  private static SendFormat integer(String declared) {
    return switch (declared) {
      case "TINYINT" -> integer("CAST(%s AS TINYINT)", Byte.MIN_VALUE, Byte.MAX_VALUE);
      case "SMALLINT" -> integer("CAST(%s AS SMALLINT)", Short.MIN_VALUE, Short.MAX_VALUE);
      case "INTEGER" -> new SendFormat(Send.INT32, "%s", Integer.MIN_VALUE, Integer.MAX_VALUE, 1);
      case "UTINYINT" -> integer("CAST(%s AS UTINYINT)", 0, 0xFF);
      case "USMALLINT" -> integer("CAST(%s AS USMALLINT)", 0, 0xFFFF);
      case "UINTEGER" -> integer("CAST(%s AS UINTEGER)", 0, 0xFFFF_FFFFL);
      default -> new SendFormat(Send.INT64, "%s");
    };
  }

  private static SendFormat integer(String sql, long min, long max) {
    return new SendFormat(Send.INT64, sql, min, max, 1);
  }

  private static SendFormat decimal(Type.Decimal decimal, String declared) {
    if (!Decimals.fitsLong(decimal)) {
      return text(declared);
    }
    long limit = Decimals.powerOfTen(decimal.precision()) - 1;
    return new SendFormat(Send.DECIMAL, "%s", -limit, limit, 1);
  }

  private static SendFormat timestamp(boolean zoned, String declared) {
    String made =
        "CASE WHEN %1$s = 9223372036854775807 THEN 'infinity'::TIMESTAMP"
            + " WHEN %1$s = -9223372036854775807 THEN '-infinity'::TIMESTAMP"
            + " ELSE make_timestamp(%1$s) END";
    String sql =
        zoned || !declared.equals("TIMESTAMP") ? "CAST(" + made + " AS " + declared + ")" : made;
    return switch (declared.toUpperCase(Locale.ROOT)) {
      case "TIMESTAMP_S" -> new SendFormat(Send.INT64, sql, Long.MIN_VALUE, LAST_MICROS, 1_000_000);
      case "TIMESTAMP_MS" -> new SendFormat(Send.INT64, sql, Long.MIN_VALUE, LAST_MICROS, 1_000);
      case "TIMESTAMP_NS" ->
          new SendFormat(
              Send.INT64,
              sql,
              -NANOS_MICROS_MAX - Temporals.EPOCH_MICROS,
              NANOS_MICROS_MAX - Temporals.EPOCH_MICROS,
              1);
      default -> new SendFormat(Send.INT64, sql, Long.MIN_VALUE, LAST_MICROS, 1);
    };
  }
}
