package millrace.connectors.sql.structure;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import millrace.data.Type;
import millrace.spi.catalog.TableStructure.All;
import millrace.spi.catalog.TableStructure.Comparison;
import millrace.spi.catalog.TableStructure.Condition;
import millrace.spi.catalog.TableStructure.Constant;
import millrace.spi.catalog.TableStructure.Digits;
import millrace.spi.catalog.TableStructure.Now;
import millrace.spi.catalog.TableStructure.OneOf;
import millrace.spi.catalog.TableStructure.Truth;
import millrace.spi.catalog.TableStructure.Words;
import org.jspecify.annotations.Nullable;

/// Constants as values of their columns' types, however a catalog spells them.
final class TypedConstants {

  private static final Pattern NUMBER =
      Pattern.compile("-?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");
  private static final Pattern MOMENT =
      Pattern.compile("(?!0000)\\d{4}-(?!00)\\d\\d-(?!00)\\d\\d.*|\\d\\d:\\d\\d.*");
  private static final Pattern TRUE = Pattern.compile("(?i)1|t|true");
  private static final Pattern FALSE = Pattern.compile("(?i)0|f|false");

  private TypedConstants() {}

  /// The columns of a table.
  @FunctionalInterface
  interface ColumnTypes {

    /// The type of a column; null if the table has none of that name.
    @Nullable Type of(String column);
  }

  static @Nullable Condition typed(Condition condition, ColumnTypes types) {
    return switch (condition) {
      case Comparison(String column, String operator, Constant value) -> {
        Type type = types.of(column);
        Constant fitting = type == null ? null : fitting(value, type);
        yield fitting == null ? null : new Comparison(column, operator, fitting);
      }
      case OneOf(String column, List<Constant> values) -> {
        Type type = types.of(column);
        List<Constant> fitting = new ArrayList<>();
        for (Constant value : values) {
          Constant each = type == null ? null : fitting(value, type);
          if (each == null) {
            yield null;
          }
          fitting.add(each);
        }
        yield new OneOf(column, fitting);
      }
      case All _ -> null;
    };
  }

  /// The same value as one of a type; null if it is none.
  static @Nullable Constant fitting(Constant value, Type type) {
    return switch (type) {
      case Type.Bool _ ->
          switch (value) {
            case Digits(String digits) -> truth(digits);
            case Words(String text) -> truth(text);
            case Truth _ -> value;
            case Now _ -> null;
          };
      case Type.Numeric _ ->
          value instanceof Digits
              ? value
              : value instanceof Words(String text) && NUMBER.matcher(text).matches()
                  ? new Digits(text)
                  : null;
      case Type.Temporal _ ->
          value instanceof Now
                  || (value instanceof Words(String text) && MOMENT.matcher(text).matches())
              ? value
              : null;
      case Type.Textual _, Type.Uuid _ ->
          value instanceof Digits(String digits)
              ? new Words(digits)
              : value instanceof Words ? value : null;
      case Type.Bytes _ -> null;
    };
  }

  private static @Nullable Constant truth(String text) {
    return TRUE.matcher(text).matches()
        ? new Truth(true)
        : FALSE.matcher(text).matches() ? new Truth(false) : null;
  }
}
