package millrace.connectors.sql.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.connectors.sql.types.StatementParameters;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.fault.Fault;
import millrace.spi.read.Position;
import millrace.spi.read.Position.KeyRange;
import org.jspecify.annotations.Nullable;

/// Ranges of keys as conditions, parts of tables by their names, and both as they stand in a split.
///
/// Only the database compares keys, by its own order.
public final class KeyRanges {

  /// All rows, those without a key included.
  static final Position ALL = new Position.Range(0, Long.MAX_VALUE);

  private KeyRanges() {}

  /// Where a split lies. A journal knows no range of keys without bounds.
  static Position between(@Nullable String from, @Nullable String to) {
    return from == null && to == null ? ALL : new KeyRange(from, to);
  }

  /// The part of a table that has a name.
  static Position part(String name) {
    return new Position.Token(name.getBytes(UTF_8), 0, Long.MAX_VALUE);
  }

  /// What stands behind the table's name so that no more than a split's part is read; empty if
  /// splits are none.
  static String partClause(Cut key, Position position, Names names) {
    return position instanceof Position.Token token
        ? key.part().formatted(names.quoted(new String(token.bytes(), UTF_8)))
        : "";
  }

  /// The condition that the rows of a split fulfil; empty if all do. Rows without a key are in the
  /// first.
  static String condition(Cut key, Position position) {
    if (!(position instanceof KeyRange(String from, String to))) {
      return "";
    }
    String lower = from == null ? "" : key.sql() + " >= ?";
    String upper = to == null ? "" : key.sql() + " < ?";
    if (from == null && key.nullable()) {
      return "(" + upper + " OR " + key.sql() + " IS NULL)";
    }
    return lower.isEmpty() || upper.isEmpty() ? lower + upper : lower + " AND " + upper;
  }

  /// Sets the parameters of that condition.
  static void bind(Cut key, Position position, PreparedStatement statement) throws SQLException {
    if (position instanceof KeyRange(String from, String to)) {
      int parameter = 1;
      if (from != null) {
        set(key, from, statement, parameter++);
      }
      if (to != null) {
        set(key, to, statement, parameter);
      }
    }
  }

  /// The key that a statement gives; null if it gives none.
  ///
  /// @param parameters keys for the statement's parameters
  public static @Nullable String ask(
      SqlSession session, Cut key, String sql, String... parameters) {
    return session.run(connection -> {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        for (int i = 0; i < parameters.length; i++) {
          set(key, parameters[i], statement, i + 1);
        }
        session.runs(statement);
        ResultSet row = statement.executeQuery();
        return row.next() ? key(key, row) : null;
      }
    });
  }

  /// Sets a parameter to a key.
  public static void set(Cut key, String text, PreparedStatement statement, int parameter)
      throws SQLException {
    Type type = type(key);
    Vector vector = vector(type, text);
    String wrong =
        key.type()
            .cell()
            .comparing()
            .apply(type)
            .set(StatementParameters.of(statement), parameter, vector, 0);
    if (wrong != null) {
      throw new Fault.Bug("the key " + text + " " + wrong, null);
    }
  }

  /// A key as a vector of one value.
  static Vector vector(Type type, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    Vector vector = Vector.of(type, 1);
    if (!Spelling.parser(type, SpellingStyle.ISO).parse(bytes, 0, bytes.length, vector, 0)) {
      throw new Fault.Bug(text + " is no key of type " + type.label(), null);
    }
    return vector;
  }

  /// The key in the first column of a row; null if it is missing, or none of its type.
  private static @Nullable String key(Cut key, ResultSet row) throws SQLException {
    Cell cell = key.type().cell();
    Object value = cell.fetch().from(row, 1);
    Type type = type(key);
    Vector vector = Vector.of(type, 1);
    return value == null || cell.getter().apply(type).get(value, row, 1, vector, 0) != null
        ? null
        : Spelling.text(type, vector, 0);
  }

  /// The type as far as single keys go: some databases count other characters than we do.
  static Type type(Cut key) {
    return key.type().type() instanceof Type.Text ? Type.Text.UNLIMITED : key.type().type();
  }
}
