package millrace.testkit.oracle.catalog;

import millrace.testkit.oracle.value.CharForm;
import millrace.testkit.oracle.value.TtcType;

/// The kinds of column types, with the data type that their values have on the wire.
public enum OraKind {
  VARCHAR2(TtcType.VARCHAR, CharForm.DATABASE),
  NVARCHAR2(TtcType.VARCHAR, CharForm.NATIONAL),
  CHAR(TtcType.CHAR, CharForm.DATABASE),
  NCHAR(TtcType.CHAR, CharForm.NATIONAL),
  NUMBER(TtcType.NUMBER, CharForm.NONE),
  FLOAT(TtcType.NUMBER, CharForm.NONE),
  BINARY_FLOAT(TtcType.BINARY_FLOAT, CharForm.NONE),
  BINARY_DOUBLE(TtcType.BINARY_DOUBLE, CharForm.NONE),
  DATE(TtcType.DATE, CharForm.NONE),
  TIMESTAMP(TtcType.TIMESTAMP, CharForm.NONE),
  TIMESTAMP_TZ(TtcType.TIMESTAMP_TZ, CharForm.NONE),
  TIMESTAMP_LTZ(TtcType.TIMESTAMP_LTZ, CharForm.NONE),
  INTERVAL_YM(TtcType.INTERVAL_YM, CharForm.NONE),
  INTERVAL_DS(TtcType.INTERVAL_DS, CharForm.NONE),
  RAW(TtcType.RAW, CharForm.NONE),
  LONG(TtcType.LONG, CharForm.DATABASE),
  LONG_RAW(TtcType.LONG_RAW, CharForm.NONE),
  CLOB(TtcType.CLOB, CharForm.DATABASE),
  NCLOB(TtcType.CLOB, CharForm.NATIONAL),
  BLOB(TtcType.BLOB, CharForm.NONE),
  JSON(TtcType.JSON, CharForm.NONE),
  VECTOR(TtcType.VECTOR, CharForm.NONE),
  XMLTYPE(TtcType.CLOB, CharForm.DATABASE),
  BOOLEAN(TtcType.BOOLEAN, CharForm.NONE),
  ROWID(TtcType.ROWID, CharForm.NONE),
  UROWID(TtcType.UROWID, CharForm.NONE);

  private final TtcType wire;
  private final CharForm form;

  OraKind(TtcType wire, CharForm form) {
    this.wire = wire;
    this.form = form;
  }

  public TtcType wire() {
    return wire;
  }

  public CharForm form() {
    return form;
  }

  /// Whether a text of it is filled up with blanks.
  public boolean isBlankPadded() {
    return this == CHAR || this == NCHAR;
  }

  /// Whether values are texts of a limited length.
  public boolean isShortText() {
    return this == VARCHAR2 || this == NVARCHAR2 || isBlankPadded();
  }

  public boolean isLob() {
    return this == CLOB || this == NCLOB || this == BLOB;
  }
}
