package millrace.connectors.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.types.Cells;
import millrace.connectors.sql.types.TypeTable;
import millrace.connectors.sql.types.TypeTable.Row;
import millrace.data.Type;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is made of rows of `getColumns` as the driver of Firebird 3 gives them.
class JdbcColumnsTest {

  private static final TypeTable TYPES =
      new TypeTable(
          "any",
          List.of(
              Row.of("BIGINT", new Type.Int(64), Cells.INTEGER),
              Row.of("CHAR|VARCHAR", Type.Text.UNLIMITED, Cells.TEXT),
              Row.of("BINARY|VARBINARY|LONGVARBINARY", new Type.Bytes(), Cells.BYTES),
              Row.of(".*", new Type.Opaque(), Cells.TEXT)),
          Type::label);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'BIGINT', -5, 19, 0, 'YES', 'YES'       | BIGINT   | BIGINT        | int64 | numbered",
        "'BIGINT', -5, 19, 0, 'YES', 'NO'        | BIGINT   | BIGINT        | int64 | computed",
        "'BIGINT', -5, 19, 0, 'NO', 'NO'         | BIGINT   | BIGINT        | int64 | plain",
        "'CHAR', -2, 8, NULL, 'NO', 'NO'         | CHAR(8)  | BINARY(8)     | bytes | plain",
        "'VARCHAR', -3, 16, NULL, 'NO', 'NO'     | VARCHAR(16) | VARBINARY(16) | bytes | plain",
        "'BLOB SUB_TYPE BINARY', -4, 0, NULL, 'NO', 'NO' | BLOB SUB_TYPE BINARY | LONGVARBINARY |"
            + " bytes | plain",
        "'VARCHAR', 12, 20, NULL, 'NO', 'NO'     | VARCHAR(20) | VARCHAR(20) | text | plain",
        "'BLOB SUB_TYPE TEXT', -1, 0, NULL, 'NO', 'NO' | BLOB SUB_TYPE TEXT | BLOB SUB_TYPE TEXT |"
            + " opaque | plain"
      })
  void aColumnIsWhatTheDriverSaysOfIt(
      String row, String declared, String typedAs, String type, String kind) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT 'V' COLUMN_NAME, 'YES' IS_NULLABLE, NULL COLUMN_DEF, * FROM (VALUES ("
                    + row
                    + ")) R (TYPE_NAME, DATA_TYPE, COLUMN_SIZE, DECIMAL_DIGITS,"
                    + " IS_GENERATEDCOLUMN, IS_AUTOINCREMENT)")) {
      assertThat(found.next()).isTrue();
      ColumnInfo column = JdbcCatalog.column(found, TYPES);
      assertThat(column.declared()).isEqualTo(declared);
      assertThat(column.typedAs()).isEqualTo(typedAs);
      assertThat(column.column(TYPES).type().label()).isEqualTo(type);
      assertThat(column.hasDefault()).isEqualTo(kind.equals("numbered"));
      assertThat(column.generated()).isEqualTo(kind.equals("computed"));
    }
  }
}
