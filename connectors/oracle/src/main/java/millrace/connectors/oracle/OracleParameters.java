package millrace.connectors.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.Set;
import millrace.connectors.sql.types.RowParameters;
import millrace.connectors.sql.types.StatementParameters;
import oracle.jdbc.OraclePreparedStatement;
import oracle.sql.CHAR;
import oracle.sql.CharacterSet;
import oracle.sql.Datum;

/// The parameters of an insert or of a stream.
///
/// Texts are bound as bytes of the database's character set: the driver makes neither a string of
/// each nor bytes of that again. It cuts an array wherever a column's values change their class, so
/// a missing text is one without bytes.
///
/// Of strings the driver declares 4 bytes for each character of the longest, of bytes 4 for each
/// byte. More than 4,000 many servers do not take (ORA-01461). So a column that has a longer text
/// goes on with strings, as the driver's users know it.
final class OracleParameters implements StatementParameters {

  /// 4 times as many and 8 more are declared: at most 4,000.
  static final int BYTES_MAX = 996;

  /// Those whose texts are bound as bytes.
  private static final Set<Short> BOUND =
      Set.of(
          CharacterSet.AL32UTF8_CHARSET,
          CharacterSet.US7ASCII_CHARSET,
          CharacterSet.WE8ISO8859P1_CHARSET);

  private final OraclePreparedStatement statement;
  private final CharacterSet charset;
  private final CHAR missing;

  /// Of each parameter, whether it goes on with strings.
  private boolean[] strings = new boolean[16];

  private OracleParameters(OraclePreparedStatement statement, CharacterSet charset) {
    this.statement = statement;
    this.charset = charset;
    missing = new CHAR(new byte[0], charset);
  }

  /// Those of a statement of the driver.
  static RowParameters of(PreparedStatement statement, OracleTraits server) throws SQLException {
    CharacterSet charset = server.charset();
    return BOUND.contains((short) charset.getOracleId())
        ? new OracleParameters(statement.unwrap(OraclePreparedStatement.class), charset)
        : StatementParameters.of(statement);
  }

  @Override
  public OraclePreparedStatement statement() {
    return statement;
  }

  @Override
  public void setNull(int parameter, int type) throws SQLException {
    if (type == Types.VARCHAR && !isString(parameter)) {
      statement.setCHAR(parameter, missing);
    } else {
      statement.setNull(parameter, type);
    }
  }

  private boolean isString(int parameter) {
    return parameter < strings.length && strings[parameter];
  }

  @Override
  public void setText(int parameter, byte[] bytes, int from, int to) throws SQLException {
    if (to - from > BYTES_MAX || isString(parameter)) {
      switchToStrings(parameter);
      statement.setString(parameter, new String(bytes, from, to - from, UTF_8));
    } else if (charset.getOracleId() == CharacterSet.AL32UTF8_CHARSET) {
      statement.setCHAR(parameter, new CHAR(Arrays.copyOfRange(bytes, from, to), charset));
    } else {
      // Whoever sets them has seen that the character set has all of their letters.
      byte[] encoded = charset.convert(new String(bytes, from, to - from, UTF_8));
      statement.setCHAR(parameter, new CHAR(encoded, charset));
    }
  }

  private void switchToStrings(int parameter) {
    if (parameter >= strings.length) {
      strings = Arrays.copyOf(strings, 2 * parameter);
    }
    strings[parameter] = true;
  }

  @Override
  public void setString(int parameter, String value) throws SQLException {
    byte[] bytes = value.getBytes(UTF_8);
    setText(parameter, bytes, 0, bytes.length);
  }

  @Override
  public void setObject(int parameter, Object value) throws SQLException {
    if (value instanceof Datum datum) {
      statement.setOracleObject(parameter, datum);
    } else {
      StatementParameters.super.setObject(parameter, value);
    }
  }
}
