package millrace.testkit.oracle.value;

/// The data types of TTC, by their numbers in descriptions of columns, binds and defines.
public enum TtcType {
  VARCHAR(1),
  NUMBER(2),
  BINARY_INTEGER(3),
  LONG(8),
  ROWID(11),
  DATE(12),
  RAW(23),
  LONG_RAW(24),
  CHAR(96),
  BINARY_FLOAT(100),
  BINARY_DOUBLE(101),
  CURSOR(102),
  CLOB(112),
  BLOB(113),
  JSON(119),
  VECTOR(127),
  TIMESTAMP(180),
  TIMESTAMP_TZ(181),
  INTERVAL_YM(182),
  INTERVAL_DS(183),
  UROWID(208),
  TIMESTAMP_LTZ(231),
  BOOLEAN(252);

  private final int code;

  TtcType(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /// The type of that number.
  ///
  /// @throws IllegalArgumentException if there is none that the stand-in knows
  public static TtcType of(int code) {
    for (TtcType type : values()) {
      if (type.code == code) {
        return type;
      }
    }
    throw new IllegalArgumentException("the data type " + code + " is not known");
  }

  /// Whether values are texts in a character set.
  public boolean isText() {
    return this == VARCHAR || this == CHAR || this == LONG || this == CLOB;
  }

  /// Whether values follow all others in a row of binds.
  public boolean comesLast() {
    return this == LONG || this == LONG_RAW;
  }

  /// Whether values travel with a locator.
  public boolean hasLocator() {
    return this == CLOB || this == BLOB || this == JSON || this == VECTOR;
  }
}
