package millrace.connectors.oracle;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Set;
import millrace.connectors.sql.Names;
import oracle.sql.CharacterSet;

/// What of a database decides how it is spoken to.
///
/// @param release major version times 100, and the minor one
/// @param version the same of COMPATIBLE if that is lower: a database that was made by an older
///   release may lack types and long names
/// @param charset the character set of VARCHAR2, which the driver knows, or it would not log on
/// @param schema the schema in which names without one are looked for
/// @param user who has logged on, which is also the name of his own schema
record OracleTraits(int release, int version, CharacterSet charset, String schema, String user) {

  /// What stands for a server that nobody has asked.
  static final OracleTraits USUAL =
      new OracleTraits(2300, 2300, CharacterSet.make(CharacterSet.AL32UTF8_CHARSET), "", "");

  private static final int LONG_NAMES_SINCE = 1202;
  private static final int BOOLEAN_SINCE = 2300;
  private static final int JSON_SINCE = 2100;

  /// Those of single bytes that the driver has without its library of all others.
  private static final Set<Short> SINGLE =
      Set.of(
          CharacterSet.US7ASCII_CHARSET,
          CharacterSet.WE8DEC_CHARSET,
          CharacterSet.WE8ISO8859P1_CHARSET,
          CharacterSet.WE8ISO8859P15_CHARSET,
          CharacterSet.WE8MSWIN1252_CHARSET);

  static OracleTraits of(Connection connection) throws SQLException {
    int release =
        100 * connection.getMetaData().getDatabaseMajorVersion()
            + connection.getMetaData().getDatabaseMinorVersion();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT NLS_CHARSET_ID(value), SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA'),"
                    + " SYS_CONTEXT('USERENV', 'SESSION_USER') FROM nls_database_parameters"
                    + " WHERE parameter = 'NLS_CHARACTERSET'")) {
      row.next();
      return new OracleTraits(
          release,
          Math.min(release, compatible(connection, release)),
          CharacterSet.make(row.getInt(1)),
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

  /// Whether VARCHAR2 has all letters of a text. What it lacks it would replace without a word, by
  /// one that looks like it or by a question mark.
  boolean has(String text) {
    try {
      byte[] converted = charset.convert(text);
      return charset.toStringWithReplacement(converted, 0, converted.length).equals(text);
    } catch (SQLException _) {
      return false;
    }
  }

  /// The character set if streams can't send texts in it, since its bytes are not known here; else
  /// empty.
  String notStreamed() {
    return isUnicode() || SINGLE.contains((short) charset.getOracleId()) ? "" : charset.toString();
  }

  /// Whether VARCHAR2 is UTF-8.
  boolean isUnicode() {
    return charset.getOracleId() == CharacterSet.AL32UTF8_CHARSET;
  }
}
