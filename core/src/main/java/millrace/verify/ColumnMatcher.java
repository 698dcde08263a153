package millrace.verify;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.retry.StallGuard;
import millrace.fault.Fault;
import millrace.plan.mapping.Mapping;
import millrace.spi.Blockable;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import org.jspecify.annotations.Nullable;

/// Finds the columns that two sides have in common, with the types that they are compared as, and
/// the key that names a row. One thread.
final class ColumnMatcher {

  private final Verify.Side from;
  private final Verify.Side to;
  private final List<String> keyRequested;
  private final boolean byPosition;
  private final Collection<String> notes;
  private final StallGuard stallGuard;

  /// @param keyRequested the columns to find rows by; empty for the primary key of either side
  /// @param notes gets what the user should know of either side
  /// @param stallGuard ends a look that waits for others for too long
  ColumnMatcher(
      Verify.Side from,
      Verify.Side to,
      List<String> keyRequested,
      Collection<String> notes,
      StallGuard stallGuard) {
    this.stallGuard = stallGuard;
    this.from = from;
    this.to = to;
    this.keyRequested = keyRequested;
    this.notes = notes;
    byPosition = from.job().writeOptions().byPosition();
  }

  /// What both sides have in common.
  ///
  /// @param comparison the columns and the key
  /// @param fromLike the columns that the first side is to take the types of, or null if it is read
  ///   with those that it has
  /// @param toLike the same of the second side
  record Common(
      HashTarget.Comparison comparison, @Nullable Schema fromLike, @Nullable Schema toLike) {

    List<String> names() {
      return comparison.names();
    }

    List<String> key() {
      return comparison.key();
    }
  }

  /// A side takes the other's types for columns that have none of their own, such as those of a
  /// file; two such columns compare as text.
  Common match() {
    Schema one = look(from, untyped(from));
    Schema other = look(to, untyped(to));
    Schema fromLike = lacksTypes(one) && hasTypes(other) ? other : null;
    Schema toLike = lacksTypes(other) && hasTypes(one) ? one : null;
    Schema oneRead = one;
    Schema otherRead = other;
    if (!areNamedAlike(one, other)) {
      // A file without a header takes names from the other side too.
      Schema oneLike = lacksTypes(one) ? look(from, like(from, other)) : one;
      Schema otherLike = lacksTypes(other) ? look(to, like(to, one)) : other;
      if (areNamedAlike(oneLike, other)) {
        fromLike = other;
        oneRead = oneLike;
      } else if (areNamedAlike(one, otherLike)) {
        toLike = one;
        otherRead = otherLike;
      }
    }
    requireSameColumns(oneRead, otherRead);
    oneRead = fromLike == null ? oneRead : look(from, like(from, fromLike));
    otherRead = toLike == null ? otherRead : look(to, like(to, toLike));
    List<String> names = oneRead.names();
    List<String> key = key(oneRead, otherRead);
    List<Type> as = new ArrayList<>();
    for (int i = 0; i < oneRead.width(); i++) {
      int partner = byPosition ? i : Selection.position(names.get(i), otherRead.names());
      as.add(RowHash.comparedAs(oneRead.column(i).type(), otherRead.column(partner).type()));
    }
    return new Common(new HashTarget.Comparison(names, as, key, byPosition), fromLike, toLike);
  }

  private List<String> key(Schema one, Schema other) {
    List<String> key = keyRequested;
    if (key.isEmpty()) {
      key = one.key().isEmpty() ? other.key() : one.key();
    }
    for (String name : key) {
      if (Selection.position(name, one.names()) < 0) {
        throw new Fault.User(
            "There is no key column \"" + name + "\" in " + from.job().from().label() + ".",
            "It has: " + String.join(", ", one.names()));
      }
    }
    return key;
  }

  private static ColumnRequest untyped(Verify.Side side) {
    return new ColumnRequest.Untyped(List.of(), side.job().mapping().declared());
  }

  private ColumnRequest like(Verify.Side side, Schema schema) {
    Schema asNamed = byPosition ? schema : side.job().mapping().asSourceNames(schema, Map.of());
    return new ColumnRequest.Like(asNamed, byPosition);
  }

  private Schema look(Verify.Side side, ColumnRequest columnRequest) {
    try (Source source = side.open().get()) {
      SourceDescription description =
          stallGuard.get(
              side.job().from().labelWithTable() + " is being opened",
              Blockable.of(source),
              () -> source.describe(columnRequest).description());
      notes.addAll(description.reading().notes());
      Schema passed = description.passed(columnRequest);
      Mapping mapping = side.job().mapping();
      return mapping.schema(passed, mapping.apply(description.label(), passed, Integer.MAX_VALUE));
    }
  }

  private static boolean hasTypes(Schema schema) {
    return !schema.columns().stream().allMatch(ColumnMatcher::lacksType);
  }

  private static boolean lacksTypes(Schema schema) {
    return schema.columns().stream().anyMatch(ColumnMatcher::lacksType);
  }

  /// A file gives undeclared text if no types are wanted; everything else has types.
  private static boolean lacksType(Column column) {
    return column.declared() == null && column.type() instanceof Type.Text;
  }

  private boolean areNamedAlike(Schema one, Schema other) {
    return byPosition || (missing(one, other).isEmpty() && missing(other, one).isEmpty());
  }

  /// The names of the one schema that the other has not.
  private static List<String> missing(Schema of, Schema in) {
    return of.names().stream().filter(name -> Selection.position(name, in.names()) < 0).toList();
  }

  private void requireSameColumns(Schema one, Schema other) {
    if (byPosition && one.width() != other.width()) {
      throw new Fault.User(
          "The two sides have different numbers of columns: %s has %d, %s has %d."
              .formatted(
                  from.job().from().label(), one.width(), to.job().from().label(), other.width()),
          "Leave columns out with a query=.");
    }
    if (!areNamedAlike(one, other)) {
      throw new Fault.User(
          "The two sides have not the same columns."
              + only(from.job().from().label(), missing(one, other))
              + only(to.job().from().label(), missing(other, one)),
          "Choose the columns that both have with --select, or pair them with --by-position;"
              + " columns= in its URL names those of a file.");
    }
  }

  private static String only(String label, List<String> names) {
    return names.isEmpty() ? "" : " Only in " + label + ": " + String.join(", ", names) + ".";
  }
}
