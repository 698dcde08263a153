package millrace.connectors.sql.types;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;

/// Takes the values of a row, one for each column, numbered from 1 as the parameters of a statement
/// are. What the row goes by decides what becomes of them: a statement, or text for a bulk load.
public interface RowParameters {

  /// Takes a missing value.
  ///
  /// @param type of {@link java.sql.Types}
  void setNull(int parameter, int type) throws SQLException;

  void setBoolean(int parameter, boolean value) throws SQLException;

  void setLong(int parameter, long value) throws SQLException;

  void setDouble(int parameter, double value) throws SQLException;

  void setBigDecimal(int parameter, BigDecimal value) throws SQLException;

  void setString(int parameter, String value) throws SQLException;

  /// Takes bytes that are no text.
  void setBytes(int parameter, byte[] value) throws SQLException;

  /// Takes text in UTF-8.
  ///
  /// @param bytes is not kept
  /// @param to exclusive
  default void setText(int parameter, byte[] bytes, int from, int to) throws SQLException {
    setString(parameter, new String(bytes, from, to - from, StandardCharsets.UTF_8));
  }

  /// Takes a value of a class of `java.time` that the driver knows.
  default void setObject(int parameter, Object value) throws SQLException {
    setString(parameter, value.toString());
  }
}
