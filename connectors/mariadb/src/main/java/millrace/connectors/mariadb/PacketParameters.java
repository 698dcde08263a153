package millrace.connectors.mariadb;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Locale;
import millrace.connectors.sql.types.RowParameters;
import millrace.connectors.sql.types.StatementParameters;

/// The parameters of an insert whose rows are measured before they are sent: the server ends the
/// connection of a row that is longer than it takes, and the driver can't go on behind one. One
/// thread.
final class PacketParameters implements StatementParameters {

  /// What stands before the values: the command and its options.
  private static final int FIXED_BYTES = 16;

  /// For each value: its type, whether there is one, and how long it is.
  private static final int OVERHEAD_BYTES = 12;

  private static final int NUMBER_BYTES = 8;

  private final PreparedStatement statement;
  private final long bytesMax;
  private long bytes;

  private PacketParameters(PreparedStatement statement, long bytesMax) {
    this.statement = statement;
    this.bytesMax = bytesMax;
  }

  /// Those of a statement.
  static RowParameters of(PreparedStatement statement) throws SQLException {
    return new PacketParameters(statement, bytesMax(statement.getConnection()));
  }

  /// What the driver was told that the server takes: statements with their values have fewer bytes;
  /// 0 if nothing.
  static int bytesMax(Connection connection) throws SQLException {
    Integer configured =
        connection
            .unwrap(org.mariadb.jdbc.Connection.class)
            .getContext()
            .getConf()
            .maxAllowedPacket();
    return configured == null ? 0 : configured;
  }

  /// The most that an insert needs for a row that has so much text for a load: values are no longer
  /// than there.
  static long most(long loaded, int columns) {
    return FIXED_BYTES + (long) OVERHEAD_BYTES * columns + loaded;
  }

  @Override
  public PreparedStatement statement() {
    return statement;
  }

  /// A value comes, the first of a row or behind others.
  ///
  /// @throws SQLException as the driver refuses what the server does not take
  private void add(int parameter, long length) throws SQLException {
    bytes = (parameter == 1 ? FIXED_BYTES : bytes) + OVERHEAD_BYTES + length;
    if (bytes >= bytesMax) {
      throw new SQLException(
          String.format(
              Locale.ROOT,
              "with it, an insert of the row has %,d bytes, and the server takes fewer than %,d"
                  + " (max_allowed_packet). %s",
              bytes,
              bytesMax,
              MariaDbFaults.PACKET),
          MariaDbFaults.PACKET_STATE);
    }
  }

  @Override
  public void setNull(int parameter, int type) throws SQLException {
    add(parameter, 0);
    statement.setNull(parameter, type);
  }

  @Override
  public void setBoolean(int parameter, boolean value) throws SQLException {
    add(parameter, NUMBER_BYTES);
    statement.setBoolean(parameter, value);
  }

  @Override
  public void setLong(int parameter, long value) throws SQLException {
    add(parameter, NUMBER_BYTES);
    statement.setLong(parameter, value);
  }

  @Override
  public void setDouble(int parameter, double value) throws SQLException {
    add(parameter, NUMBER_BYTES);
    statement.setDouble(parameter, value);
  }

  @Override
  public void setBigDecimal(int parameter, BigDecimal value) throws SQLException {
    add(parameter, value.toPlainString().length());
    statement.setBigDecimal(parameter, value);
  }

  @Override
  public void setString(int parameter, String value) throws SQLException {
    add(parameter, value.getBytes(StandardCharsets.UTF_8).length);
    statement.setString(parameter, value);
  }

  @Override
  public void setText(int parameter, byte[] text, int from, int to) throws SQLException {
    add(parameter, to - from);
    statement.setString(parameter, new String(text, from, to - from, StandardCharsets.UTF_8));
  }

  @Override
  public void setBytes(int parameter, byte[] value) throws SQLException {
    add(parameter, value.length);
    statement.setBytes(parameter, value);
  }
}
