package millrace.testkit;

import java.sql.Blob;
import java.sql.Clob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a bare JDBC driver finds in a table, for {@link Independent}.
public final class Found {

  private Found() {}

  /// Names in double quotes, with commas between them.
  public static String quoted(List<String> columns) {
    return columns.stream()
        .map(column -> "\"" + column.replace("\"", "\"\"") + "\"")
        .collect(Collectors.joining(", "));
  }

  /// The rows of a query: numbers and raw bytes as the driver has them, all else as text.
  public static List<List<@Nullable Object>> rows(Statement statement, String query)
      throws SQLException {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        List<@Nullable Object> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          @Nullable Object value = result.getObject(i);
          row.add(
              switch (value) {
                case null -> null;
                case Number number -> number;
                case byte[] bytes -> bytes;
                // Some drivers give these out once.
                case Clob clob -> clob.getSubString(1, Math.toIntExact(clob.length()));
                case Blob blob -> blob.getBytes(1, Math.toIntExact(blob.length()));
                default -> result.getString(i);
              });
        }
        rows.add(row);
      }
    }
    return rows;
  }
}
