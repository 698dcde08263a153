package millrace.spark.read;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
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
final class PushedConditions {

  /// As many as every server takes.
  private static final int LIST_MAX = 1000;

  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);

  /// What a kind of source compares as Spark does, besides whole numbers and decimals.
  ///
  /// @param quote around names of columns
  /// @param texts whether `=` finds at least the texts that have the same bytes
  /// @param prefixes whether it has `left`, which counts characters
  /// @param dates whether it takes the standard's dates
  /// @param moments whether its timestamps have microseconds and no more
  private record Dialect(
      char quote, boolean texts, boolean prefixes, boolean dates, boolean moments) {}

  private final Schema schema;
  private final @Nullable Dialect dialect;

  private PushedConditions(Schema schema, @Nullable Dialect dialect) {
    this.schema = schema;
    this.dialect = dialect;
  }

  /// For a source of that scheme.
  static PushedConditions of(String scheme, Schema schema) {
    return new PushedConditions(
        schema,
        switch (scheme) {
          case "postgresql", "postgres" -> new Dialect('"', true, true, true, true);
          case "duckdb", "parquet" -> new Dialect('"', true, true, true, false);
          case "kudu" -> new Dialect('"', true, false, false, false);
          case "oracle" -> new Dialect('"', false, false, false, false);
          case "mariadb", "mysql" -> new Dialect('`', false, false, false, false);
          default -> null;
        });
  }

  /// The condition; null if the source can't apply it as Spark does.
  @Nullable String sql(Expression filter) {
    if (dialect == null || !(filter instanceof Predicate predicate)) {
      return null;
    }
    Expression[] parts = predicate.children();
    return switch (predicate.name()) {
      case "AND", "OR" -> joined(predicate.name(), parts);
      case "IS_NULL", "IS_NOT_NULL" -> {
        Column column = column(parts[0]);
        yield column == null || !isCompared(column)
            ? null
            : quoted(column) + " " + predicate.name().replace('_', ' ');
      }
      case "=", "<", "<=", ">", ">=" -> comparison(predicate.name(), parts[0], parts[1]);
      case "IN" -> in(parts[0], Arrays.asList(parts).subList(1, parts.length));
      case "STARTS_WITH" -> startsWith(parts[0], parts[1]);
      default -> null;
    };
  }

  /// Of an AND, either part alone leaves out no row that is wanted.
  private @Nullable String joined(String word, Expression[] parts) {
    String left = sql(parts[0]);
    String right = sql(parts[1]);
    if (left == null || right == null) {
      return word.equals("OR") ? null : left == null ? right : left;
    }
    return "(" + left + " " + word + " " + right + ")";
  }

  private @Nullable String comparison(String operator, Expression left, Expression right) {
    Column column = column(left);
    if (column == null) {
      String turned = operator.replace('<', ' ').replace('>', '<').replace(' ', '>');
      return column(right) == null ? null : comparison(turned, right, left);
    }
    if (column.type() instanceof Type.Text && !operator.equals("=")) {
      return null;
    }
    String literal = literal(column, right);
    return literal == null ? null : quoted(column) + " " + operator + " " + literal;
  }

  private @Nullable String in(Expression reference, List<Expression> values) {
    Column column = column(reference);
    if (column == null || values.isEmpty() || values.size() > LIST_MAX) {
      return null;
    }
    List<String> literals = new ArrayList<>();
    for (Expression each : values) {
      String literal = literal(column, each);
      if (literal == null) {
        return null;
      }
      literals.add(literal);
    }
    return quoted(column) + literals.stream().collect(Collectors.joining(", ", " IN (", ")"));
  }

  /// Not LIKE, which some collations refuse.
  private @Nullable String startsWith(Expression reference, Expression prefix) {
    Column column = column(reference);
    // PostgreSQL takes the blanks from the end of a character(n) first.
    if (column == null
        || dialect == null
        || !dialect.prefixes
        || (column.declared() != null
            && column.declared().declaration().matches("(?i)(bp)?char(acter)?\\b(?! varying).*"))) {
      return null;
    }
    String literal = literal(column, prefix);
    if (literal == null || !(prefix instanceof Literal<?> text)) {
      return null;
    }
    String value = String.valueOf(text.value());
    int characters = value.codePointCount(0, value.length());
    return "left(" + quoted(column) + ", " + characters + ") = " + literal;
  }

  private @Nullable Column column(Expression expression) {
    if (!(expression instanceof NamedReference reference) || reference.fieldNames().length != 1) {
      return null;
    }
    int position = schema.indexOf(reference.fieldNames()[0]);
    return position < 0 ? null : schema.column(position);
  }

  private String quoted(Column column) {
    String quote = dialect == null ? "" : String.valueOf(dialect.quote);
    return quote + column.name().replace(quote, quote + quote) + quote;
  }

  private boolean isCompared(Column column) {
    return dialect != null
        && switch (column.type()) {
          case Type.Int _, Type.Decimal _ -> true;
          case Type.Text _ -> dialect.texts;
          case Type.Date _ -> dialect.dates;
          case Type.Timestamp _ -> dialect.moments;
          case Type.Bool _,
              Type.Float _,
              Type.Time _,
              Type.Uuid _,
              Type.Json _,
              Type.Bytes _,
              Type.Opaque _ ->
              false;
        };
  }

  /// A value to compare a column with, in the spelling of the source; null if there is none.
  private @Nullable String literal(Column column, Expression expression) {
    if (!(expression instanceof Literal<?> literal)
        || !isCompared(column)
        || !literal.dataType().equals(SparkTypes.of(column.type()))) {
      return null;
    }
    Object value = literal.value();
    return switch (column.type()) {
      case Type.Int _ when value instanceof Number -> value.toString();
      case Type.Decimal _ when value instanceof Decimal decimal ->
          decimal.toJavaBigDecimal().toPlainString();
      case Type.Text _ when value != null -> text(value.toString());
      case Type.Date _ when value instanceof Integer days -> date(days);
      case Type.Timestamp(boolean zoned) when value instanceof Long micros -> moment(zoned, micros);
      default -> null;
    };
  }

  /// What servers and their settings understand alike.
  private static @Nullable String text(String value) {
    return value.indexOf('\\') >= 0 || value.indexOf('\0') >= 0
        ? null
        : "'" + value.replace("'", "''") + "'";
  }

  private static @Nullable String date(int days) {
    LocalDate date = LocalDate.ofEpochDay(days);
    return isSpelled(date.getYear()) ? "DATE '" + date + "'" : null;
  }

  private static @Nullable String moment(boolean zoned, long micros) {
    Instant instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    if (!isSpelled(instant.atZone(ZoneOffset.UTC).getYear())) {
      return null;
    }
    return (zoned ? "TIMESTAMP WITH TIME ZONE '" : "TIMESTAMP '")
        + MOMENT.format(instant)
        + (zoned ? "+00'" : "'");
  }

  private static boolean isSpelled(int year) {
    return year >= 1 && year <= 9999;
  }
}
