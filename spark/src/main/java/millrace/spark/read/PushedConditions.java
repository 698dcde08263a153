package millrace.spark.read;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;

/// Spells Spark's filters as conditions of a source, if no row for which the filter is true fails
/// the condition. All others stay with Spark:
///
/// - floats: `real = 0.1` compares in doubles at some servers;
/// - `<` of texts: the server's collation is not the order of bytes;
/// - times that a server may hold more finely than they are read;
/// - SQLite and JDBC: a value's type need not be its column's.
///
/// @param quote around names of columns
/// @param texts whether `=` finds at least the texts that have the same bytes
/// @param standard whether the source takes the standard's dates, and has `left`, which counts
///   characters
/// @param moments whether its timestamps have microseconds and no more
record PushedConditions(
    Schema schema, String quote, boolean texts, boolean standard, boolean moments) {

  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");

  /// A filter as a condition of a table's source; null if the source can't apply it.
  static @Nullable String sql(SourceTable table, Predicate filter) {
    Schema schema = table.held();
    PushedConditions source =
        switch (table.options().from().scheme()) {
          case "postgresql", "postgres" -> new PushedConditions(schema, "\"", true, true, true);
          case "duckdb", "parquet" -> new PushedConditions(schema, "\"", true, true, false);
          case "kudu" -> new PushedConditions(schema, "\"", true, false, false);
          case "oracle" -> new PushedConditions(schema, "\"", false, false, false);
          case "mariadb", "mysql" -> new PushedConditions(schema, "`", false, false, false);
          default -> null;
        };
    return source == null ? null : source.sql(filter);
  }

  private @Nullable String sql(Expression filter) {
    if (!(filter instanceof Predicate predicate)) {
      return null;
    }
    Expression[] parts = predicate.children();
    return switch (predicate.name()) {
      case "AND", "OR" -> joined(predicate.name(), sql(parts[0]), sql(parts[1]));
      case "IS_NULL", "IS_NOT_NULL", "=", "<", "<=", ">", ">=", "IN", "STARTS_WITH" -> {
        Column column = column(parts[0]);
        yield column == null ? null : comparison(predicate.name(), column, parts);
      }
      default -> null;
    };
  }

  /// Of an AND, either part alone leaves out no row that is wanted.
  private static @Nullable String joined(
      String word, @Nullable String left, @Nullable String right) {
    return left != null && right != null
        ? "(" + left + " " + word + " " + right + ")"
        : word.equals("OR") ? null : left == null ? right : left;
  }

  /// @param parts the column and what it is compared with
  private @Nullable String comparison(String name, Column column, Expression[] parts) {
    List<String> literals =
        Arrays.stream(parts).skip(1).map(each -> literal(column, each)).toList();
    String value = String.join(", ", literals);
    String quoted = quote + column.name().replace(quote, quote + quote) + quote;
    if (literals.contains("")) {
      return null;
    }
    return switch (name) {
      case "IS_NULL", "IS_NOT_NULL" -> quoted + " " + name.replace('_', ' ');
      case "IN" -> quoted + " IN (" + value + ")";
      case "STARTS_WITH" -> hasPrefix(column, quoted, value);
      case "=" -> quoted + " = " + value;
      default -> column.type() instanceof Type.Text ? null : quoted + " " + name + " " + value;
    };
  }

  /// Not by LIKE, which some collations refuse. PostgreSQL takes the blanks from the end of a
  /// character(n) first.
  private @Nullable String hasPrefix(Column column, String quoted, String prefix) {
    String value = prefix.substring(1, prefix.length() - 1).replace("''", "'");
    int characters = value.codePointCount(0, value.length());
    return standard && column.declaration().matches("(?i)(text|character varying|varchar).*")
        ? "left(" + quoted + ", " + characters + ") = " + prefix
        : null;
  }

  /// The column that is meant; null if it is none that the source compares as Spark does.
  private @Nullable Column column(Expression expression) {
    int position =
        expression instanceof NamedReference reference && reference.fieldNames().length == 1
            ? schema.indexOf(reference.fieldNames()[0])
            : -1;
    Column column = position < 0 ? null : schema.column(position);
    boolean isCompared =
        column != null
            && switch (column.type()) {
              case Type.Int _, Type.Decimal _ -> true;
              case Type.Text _ -> texts;
              case Type.Date _ -> standard;
              case Type.Timestamp _ -> moments;
              case Type.Bool _, Type.Float _, Type.Time _, Type.Uuid _, Type.Bytes _ -> false;
              case Type.Json _, Type.Opaque _ -> false;
            };
    return isCompared ? column : null;
  }

  /// A value to compare a column with, in the spelling of the source; empty if there is none.
  private static String literal(Column column, Expression expression) {
    Object value =
        expression instanceof Literal<?> literal
                && literal.dataType().equals(SparkTypes.of(column.type()))
            ? literal.value()
            : null;
    return switch (column.type()) {
      case Type.Int _ when value instanceof Number -> value.toString();
      case Type.Decimal _ when value instanceof Decimal decimal ->
          decimal.toJavaBigDecimal().toPlainString();
      // Servers and their settings understand others differently.
      case Type.Text _ when value != null && !value.toString().matches("(?s).*[\\\\\0].*") ->
          "'" + value.toString().replace("'", "''") + "'";
      case Type.Date _ when value instanceof Integer days ->
          dated("DATE '", LocalDate.ofEpochDay(days).toString());
      case Type.Timestamp(boolean zoned) when value instanceof Long micros ->
          zoned
              ? dated("TIMESTAMP WITH TIME ZONE '", moment(micros) + "+00")
              : dated("TIMESTAMP '", moment(micros));
      default -> "";
    };
  }

  private static String moment(long micros) {
    return LocalDateTime.of(1970, 1, 1, 0, 0).plus(micros, ChronoUnit.MICROS).format(MOMENT);
  }

  private static String dated(String words, String value) {
    return value.matches("(?!0000)\\d{4}-.*") ? words + value + "'" : "";
  }
}
