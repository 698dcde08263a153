package millrace.connectors.oracle;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Map;
import millrace.connectors.sql.Names;
import oracle.sql.CharacterSet;
import org.jspecify.annotations.Nullable;

/// What of a database decides how it is spoken to.
///
/// @param version major version times 100, and the minor one, or COMPATIBLE if that is lower: a
///   database that was made by an older release may lack types and long names
/// @param charset the character set of VARCHAR2, as the server calls it
/// @param schema the schema in which names without one are looked for
/// @param user who has logged on, which is also the name of his own schema
record OracleTraits(int version, String charset, String schema, String user) {

  /// What stands for a server that nobody has asked.
  static final OracleTraits USUAL = new OracleTraits(2300, "AL32UTF8", "", "");

  private static final int LONG_NAMES_SINCE = 1202;
  private static final int BOOLEAN_SINCE = 2300;
  private static final int JSON_SINCE = 2100;

  /// Character sets that Java knows to the last character, by the server's names.
  private static final Map<String, Charset> CHARSETS =
      Map.of(
          "US7ASCII",
          StandardCharsets.US_ASCII,
          "WE8ISO8859P1",
          StandardCharsets.ISO_8859_1,
          "WE8MSWIN1252",
          Charset.forName("windows-1252"),
          "WE8ISO8859P15",
          Charset.forName("ISO-8859-15"));

  static OracleTraits of(Connection connection) throws SQLException {
    int version =
        100 * connection.getMetaData().getDatabaseMajorVersion()
            + connection.getMetaData().getDatabaseMinorVersion();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT value, SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA'),"
                    + " SYS_CONTEXT('USERENV', 'SESSION_USER') FROM nls_database_parameters"
                    + " WHERE parameter = 'NLS_CHARACTERSET'")) {
      row.next();
      return new OracleTraits(
          Math.min(version, compatible(connection, version)),
          row.getString(1),
          row.getString(2),
          row.getString(3));
    }
  }

  /// @param otherwise what is taken for it if an administrator keeps users from asking
  private static int compatible(Connection connection, int otherwise) throws SQLException {
    try (CallableStatement call =
        connection.prepareCall("BEGIN DBMS_UTILITY.DB_VERSION(?, ?); END;")) {
      call.registerOutParameter(1, Types.VARCHAR);
      call.registerOutParameter(2, Types.VARCHAR);
      call.execute();
      String[] numbers = call.getString(2).split("\\.", -1);
      return 100 * Integer.parseInt(numbers[0]) + Integer.parseInt(numbers[1]);
    } catch (SQLException e) {
      if (e.getErrorCode() != OracleFaults.NOT_DECLARED) {
        throw e;
      }
      return otherwise;
    }
  }

  /// Names have 30 bytes, and 128 in newer versions.
  Names names() {
    return new Names('"', Names.Folding.UPPER, version >= LONG_NAMES_SINCE ? 128 : 30)
        .lacking("\"\0");
  }

  boolean hasBoolean() {
    return version >= BOOLEAN_SINCE;
  }

  boolean hasJson() {
    return version >= JSON_SINCE;
  }

  /// Whether VARCHAR2 has all letters.
  boolean isUnicode() {
    return charset.equals("AL32UTF8");
  }

  /// The character set as the driver has it without its library of all others; null if it has not.
  @Nullable CharacterSet driversCharset() {
    return switch (charset) {
      case "AL32UTF8" -> CharacterSet.make(CharacterSet.AL32UTF8_CHARSET);
      case "US7ASCII" -> CharacterSet.make(CharacterSet.US7ASCII_CHARSET);
      case "WE8ISO8859P1" -> CharacterSet.make(CharacterSet.WE8ISO8859P1_CHARSET);
      default -> null;
    };
  }

  /// The character set, if Java knows it; null of others and of Unicode.
  @Nullable Charset known() {
    return CHARSETS.get(charset);
  }
}
