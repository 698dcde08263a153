package millrace.testkit.oracle.call;

/// The first byte of a TTC message, either way.
final class TtcMessage {
  static final int PROTOCOL = 1;
  static final int DATA_TYPES = 2;
  static final int FUNCTION = 3;
  static final int END_OF_CALL = 4;
  static final int ROW_HEADER = 6;
  static final int ROW_DATA = 7;
  static final int PARAMETERS = 8;
  static final int STATUS = 9;
  static final int BIND_DIRECTIONS = 11;
  static final int LOB_DATA = 14;
  static final int WARNING = 15;
  static final int DESCRIBE = 16;
  static final int PIGGYBACK = 17;

  private TtcMessage() {}
}
