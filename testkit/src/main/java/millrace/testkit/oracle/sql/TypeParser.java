package millrace.testkit.oracle.sql;

import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraKind;
import millrace.testkit.oracle.catalog.OraType;
import millrace.testkit.oracle.value.ColumnSpec;
import millrace.testkit.oracle.value.VectorFormat;

/// Reads the type of a column.
public final class TypeParser {

  private static final int MOST_DIGITS = 38;
  private static final int FLOAT_BITS = 126;
  private static final int LONGEST_TEXT = 4000;
  private static final int LONGEST_CHAR = 2000;

  private final TokenReader in;

  private TypeParser(TokenReader in) {
    this.in = in;
  }

  public static OraType read(TokenReader in) throws OraException {
    return new TypeParser(in).type();
  }

  private OraType type() throws OraException {
    String name = in.name();
    return switch (name) {
      case "NUMBER", "NUMERIC", "DECIMAL", "DEC" -> number(name.equals("NUMBER"));
      case "INTEGER", "INT", "SMALLINT" -> OraType.number(MOST_DIGITS, 0);
      case "FLOAT" -> floating(FLOAT_BITS);
      case "REAL" -> floating(63);
      case "DOUBLE" -> {
        in.expect("PRECISION");
        yield floating(FLOAT_BITS);
      }
      case "BINARY_FLOAT" -> OraType.of(OraKind.BINARY_FLOAT);
      case "BINARY_DOUBLE" -> OraType.of(OraKind.BINARY_DOUBLE);
      case "VARCHAR2", "VARCHAR" -> text(OraKind.VARCHAR2, LONGEST_TEXT);
      case "NVARCHAR2" -> text(OraKind.NVARCHAR2, LONGEST_TEXT / 2);
      case "CHAR", "CHARACTER" -> text(OraKind.CHAR, LONGEST_CHAR);
      case "NCHAR" -> text(OraKind.NCHAR, LONGEST_CHAR / 2);
      case "RAW" -> text(OraKind.RAW, LONGEST_CHAR);
      case "DATE" -> OraType.of(OraKind.DATE);
      case "TIMESTAMP" -> timestamp();
      case "INTERVAL" -> interval();
      case "LONG" -> OraType.of(in.accept("RAW") ? OraKind.LONG_RAW : OraKind.LONG);
      case "CLOB" -> OraType.of(OraKind.CLOB);
      case "NCLOB" -> OraType.of(OraKind.NCLOB);
      case "BLOB" -> OraType.of(OraKind.BLOB);
      case "JSON" -> OraType.of(OraKind.JSON);
      case "VECTOR" -> vector();
      case "XMLTYPE" -> OraType.of(OraKind.XMLTYPE);
      case "BOOLEAN", "BOOL" -> OraType.of(OraKind.BOOLEAN);
      case "ROWID" -> OraType.of(OraKind.ROWID);
      case "UROWID" -> OraType.of(OraKind.UROWID);
      default -> throw new OraException(902, "invalid datatype " + name + " in: " + in.sql());
    };
  }

  /// How many numbers it has and how they are kept, each of which may be left open.
  private OraType vector() throws OraException {
    if (!in.accept("(")) {
      return OraType.vector(0, VectorFormat.ANY, false);
    }
    int numbers = in.accept("*") ? 0 : in.integer();
    VectorFormat format = VectorFormat.ANY;
    if (in.accept(",") && !in.accept("*")) {
      format = VectorFormat.named(in.next().text());
    }
    boolean isSparse = in.accept(",") && in.next().is("SPARSE");
    in.expect(")");
    return OraType.vector(numbers, format, isSparse);
  }

  private OraType number(boolean mayFloat) throws OraException {
    if (!in.accept("(")) {
      return mayFloat ? OraType.number(0, ColumnSpec.FLOATING) : OraType.numberOfAnyDigits(0);
    }
    boolean anyDigits = in.accept("*");
    int precision = anyDigits ? MOST_DIGITS : in.integer();
    int scale = in.accept(",") ? in.integer() : 0;
    in.expect(")");
    if (anyDigits) {
      return OraType.numberOfAnyDigits(scale);
    }
    if (precision < 1 || precision > MOST_DIGITS) {
      throw new OraException(1727, "numeric precision specifier is out of range (1 to 38)");
    }
    return OraType.number(precision, scale);
  }

  private OraType floating(int bits) throws OraException {
    int precision = bits;
    if (in.accept("(")) {
      precision = in.integer();
      in.expect(")");
    }
    return new OraType(OraKind.FLOAT, 0, false, precision, ColumnSpec.FLOATING);
  }

  private OraType text(OraKind kind, int longest) throws OraException {
    if (!in.accept("(")) {
      if (kind == OraKind.CHAR || kind == OraKind.NCHAR) {
        return OraType.text(kind, 1, false);
      }
      throw new OraException(906, "missing left parenthesis in: " + in.sql());
    }
    int length = in.integer();
    boolean inChars = in.accept("CHAR");
    in.accept("BYTE");
    in.expect(")");
    if (length < 1) {
      throw new OraException(1723, "zero-length columns are not allowed");
    }
    if (length > longest) {
      throw new OraException(910, "specified length too long for its datatype");
    }
    return OraType.text(kind, length, inChars);
  }

  private OraType timestamp() throws OraException {
    int digits = digits(6);
    OraKind kind = OraKind.TIMESTAMP;
    if (in.accept("WITH", "TIME", "ZONE")) {
      kind = OraKind.TIMESTAMP_TZ;
    } else if (in.accept("WITH", "LOCAL", "TIME", "ZONE")) {
      kind = OraKind.TIMESTAMP_LTZ;
    }
    return OraType.time(kind, 0, digits);
  }

  private OraType interval() throws OraException {
    if (in.accept("YEAR")) {
      int digits = digits(2);
      in.expect("TO", "MONTH");
      return OraType.time(OraKind.INTERVAL_YM, digits, 0);
    }
    in.expect("DAY");
    int digits = digits(2);
    in.expect("TO", "SECOND");
    return OraType.time(OraKind.INTERVAL_DS, digits, digits(6));
  }

  private int digits(int otherwise) throws OraException {
    if (!in.accept("(")) {
      return otherwise;
    }
    int digits = in.integer();
    in.expect(")");
    if (digits < 0 || digits > 9) {
      throw new OraException(30088, "datetime/interval precision is out of range");
    }
    return digits;
  }
}
