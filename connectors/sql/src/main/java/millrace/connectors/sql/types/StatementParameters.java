package millrace.connectors.sql.types;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/// The parameters of a statement, set as JDBC sets them. What a driver has a faster way for, its
/// connector sets itself.
@FunctionalInterface
public interface StatementParameters extends RowParameters {

  /// The statement.
  PreparedStatement statement();

  /// Those of a statement.
  static RowParameters of(PreparedStatement statement) {
    StatementParameters parameters = () -> statement;
    return parameters;
  }

  @Override
  default void setNull(int parameter, int type) throws SQLException {
    statement().setNull(parameter, type);
  }

  @Override
  default void setBoolean(int parameter, boolean value) throws SQLException {
    statement().setBoolean(parameter, value);
  }

  @Override
  default void setLong(int parameter, long value) throws SQLException {
    statement().setLong(parameter, value);
  }

  @Override
  default void setDouble(int parameter, double value) throws SQLException {
    statement().setDouble(parameter, value);
  }

  @Override
  default void setBigDecimal(int parameter, BigDecimal value) throws SQLException {
    statement().setBigDecimal(parameter, value);
  }

  @Override
  default void setString(int parameter, String value) throws SQLException {
    statement().setString(parameter, value);
  }

  @Override
  default void setBytes(int parameter, byte[] value) throws SQLException {
    statement().setBytes(parameter, value);
  }

  @Override
  default void setObject(int parameter, Object value) throws SQLException {
    statement().setObject(parameter, value);
  }
}
