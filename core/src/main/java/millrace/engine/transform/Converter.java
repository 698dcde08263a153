package millrace.engine.transform;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.Type.Opaque.ListOf;
import millrace.data.Type.Opaque.Marks;
import millrace.data.Type.Opaque.Nested;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.Texts;
import millrace.data.spelling.number.Floats;
import millrace.fault.Fault;
import millrace.fault.Shortened;
import millrace.spi.write.Rejects;
import org.jspecify.annotations.Nullable;

/// Brings batches from the source's types to those that the target takes, column by column.
///
/// No value changes: a pair of types between which values would is refused before the first row
/// moves ({@link Conversions} says which can be paired), and a single value that does not fit makes
/// its row a bad record. Columns that stay as they are cross without a copy. Each lane has its own.
public final class Converter implements BatchTransform {

  private static final int VALUE_CHARS_MAX = 60;
  private static final Pattern NANOSECONDS = Pattern.compile(":\\d\\d\\.\\d{6}\\d*[1-9]");

  private final List<Integer> taken;
  private final Schema to;
  private final Conversion[] conversions;
  private final Rejects rejects;
  private @Nullable ColumnsPool pool;
  private int capacity;
  private boolean[] bad = {};

  private Converter(List<Integer> taken, Schema to, Conversion[] conversions, Rejects rejects) {
    this.taken = taken;
    this.to = to;
    this.conversions = conversions;
    this.rejects = rejects;
  }

  /// A converter between columns in the same order; those of the source beyond the target's are
  /// dropped.
  ///
  /// @param rejects where rows go of which a value does not fit
  /// @throws Fault.User as {@link #check}
  public static Converter between(Schema from, Schema to, Rejects rejects) {
    return between(from, IntStream.range(0, to.width()).boxed().toList(), to, rejects);
  }

  /// A converter of some columns of the source; the others are dropped.
  ///
  /// @param taken of each of the target's columns, the position of the source's
  /// @param rejects where rows go of which a value does not fit
  /// @throws Fault.User as {@link #check}
  public static Converter between(Schema from, List<Integer> taken, Schema to, Rejects rejects) {
    return adding(from, taken, Map.of(), to, rejects, null);
  }

  /// The same, with columns that are made of nothing that is read.
  ///
  /// @param constants by position in the target, the text of the value that all rows have there;
  ///   what `taken` says of it does not count
  /// @param cut counts the times that are cut to microseconds; null if none is
  /// @throws Fault.User as {@link #check}, and if a value does not fit
  public static Converter adding(
      Schema from,
      List<Integer> taken,
      Map<Integer, String> constants,
      Schema to,
      Rejects rejects,
      @Nullable LongAdder cut) {
    return new Converter(taken, to, conversions(from, taken, constants, to, cut), rejects);
  }

  /// Finds out whether every column can be converted without loss.
  ///
  /// @param taken of each of the target's columns, the position of the source's
  /// @param constants as for {@link #adding}
  /// @throws Fault.User naming each that can't, and why
  public static void check(
      Schema from, List<Integer> taken, Map<Integer, String> constants, Schema to) {
    conversions(from, taken, constants, to, null);
  }

  private static Conversion[] conversions(
      Schema from,
      List<Integer> taken,
      Map<Integer, String> constants,
      Schema to,
      @Nullable LongAdder cut) {
    Conversion[] conversions = new Conversion[to.width()];
    List<String> refused = new ArrayList<>();
    for (int i = 0; i < conversions.length; i++) {
      String constant = constants.get(i);
      if (constant != null) {
        Column column = to.column(i);
        conversions[i] = new Conversion.Added(Constant.of(column.name(), constant, column.type()));
        continue;
      }
      Column source = from.column(taken.get(i));
      Column target = to.column(i);
      conversions[i] =
          cut == null
              ? Conversions.of(source.type(), target.type())
              : Conversions.cutting(source.type(), target.type(), cut);
      if (conversions[i] instanceof Conversion.Refused(String why)) {
        refused.add(
            "column \"%s\" is %s in the source and %s in the target: %s"
                .formatted(
                    source.name(),
                    source.typeLabel(),
                    target.typeLabel(),
                    why.isEmpty()
                        ? "a value of %s is not one of %s"
                            .formatted(source.typeLabel(), target.typeLabel())
                        : why));
      }
    }
    if (!refused.isEmpty()) {
      throw new Fault.User(
          "Values would not arrive as they are: " + String.join("; ", refused) + ".",
          "Give the target's column another type, leave it out with --select, or convert it in a"
              + " query.");
    }
    return conversions;
  }

  @Override
  public Columns apply(Columns batch) {
    Columns converted = take(batch.capacity());
    converted.stemsFrom(batch);
    int rows = batch.rows();
    int badRows = 0;
    for (int i = 0; i < conversions.length; i++) {
      badRows += convert(batch, converted, i, rows);
    }
    if (badRows > 0) {
      dropBad(converted, rows - badRows);
    }
    return converted;
  }

  /// Converts a column; returns how many rows it spoiled that were good before.
  private int convert(Columns batch, Columns converted, int column, int rows) {
    int source = taken.get(column);
    return switch (conversions[column]) {
      case Conversion.Moved() -> {
        converted.exchange(column, batch, source);
        yield 0;
      }
      case Conversion.Added(Constant value) -> {
        value.fill(converted.vector(column), rows);
        yield 0;
      }
      case Conversion.Bounded(Type.Text type) -> {
        converted.exchange(column, batch, source);
        yield convertBounded(batch, converted.bytes(column), column, rows, type);
      }
      case Conversion.InPlace(ValueConversion each) -> {
        converted.exchange(column, batch, source);
        Vector values = converted.vector(column);
        yield convert(batch, values, values, column, rows, each);
      }
      case Conversion.Rewritten(ValueConversion each) ->
          convert(batch, batch.vector(source), converted.vector(column), column, rows, each);
      case Conversion.Refused _ -> throw new Fault.Bug("a refused conversion was begun", null);
    };
  }

  /// Hardly a batch has a text with more bytes than it may have characters.
  private int convertBounded(
      Columns batch, BytesVector texts, int column, int rows, Type.Text type) {
    int bytesMax = 0;
    for (int row = 0; row < rows; row++) {
      bytesMax = Math.max(bytesMax, texts.ends[row] - texts.starts[row]);
    }
    return bytesMax <= type.lengthMax()
        ? 0
        : convert(
            batch,
            texts,
            texts,
            column,
            rows,
            (_, _, row) -> Texts.fits(type, texts.bytes, texts.starts[row], texts.ends[row]));
  }

  private int convert(
      Columns batch, Vector from, Vector into, int column, int rows, ValueConversion each) {
    int badRows = 0;
    for (int row = 0; row < rows; row++) {
      into.nulls[row] = from.nulls[row];
      if (!from.nulls[row] && !each.convert(from, into, row) && !bad[row]) {
        reject(batch, column, row, from);
        bad[row] = true;
        badRows++;
      }
    }
    return badRows;
  }

  private Columns take(int wanted) {
    ColumnsPool mine = pool;
    if (mine == null || capacity != wanted) {
      mine = new ColumnsPool(to, wanted);
      pool = mine;
      capacity = wanted;
      bad = new boolean[wanted];
    }
    return mine.take();
  }

  private void dropBad(Columns converted, int good) {
    int[] goodRows = new int[good];
    int count = 0;
    for (int row = 0; row < converted.rows(); row++) {
      if (!bad[row]) {
        goodRows[count++] = row;
      }
      bad[row] = false;
    }
    Compactor.keep(converted, goodRows, good);
  }

  private void reject(Columns batch, int column, int row, Vector from) {
    Column source = batch.schema().column(taken.get(column));
    String value = Spelling.text(source.type(), from, row);
    String shown = Shortened.value(value, VALUE_CHARS_MAX);
    rejects.reject(
        Rejects.Reject.of(
            batch,
            row,
            source.name(),
            "\""
                + shown
                + "\" does not fit "
                + to.column(column).type().label()
                + why(source.type(), to.column(column).type(), value)));
  }

  /// The end of a sentence on a value that does not fit.
  private static String why(Type from, Type to, String value) {
    if (to instanceof Type.Text text) {
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      return ": " + Texts.tooLong(text, bytes, 0, bytes.length) + ".";
    }
    if (to.nested() != null) {
      return whyNested(from, to.nested());
    }
    String lost = to instanceof Type.Float number ? Floats.lost(number, value) : "";
    return lost.isEmpty() ? "." + nanoseconds(to, value) : ": " + lost + ".";
  }

  private static String whyNested(Type from, Nested to) {
    if (from instanceof Type.Json) {
      return ", which takes "
          + (to instanceof ListOf ? "an array" : "an object")
          + " of such values alone.";
    }
    int dimensions = dimensions(to);
    String takes =
        dimensions == 0
            ? ""
            : to.marks() == Marks.BRACES && dimensions > 1
                ? ", which takes lists of one length in a list, none of them empty or missing"
                : ", which takes a list of "
                    + (dimensions == 1 ? "one dimension" : dimensions + " dimensions")
                    + " that counts from 1";
    return takes + "; --cast NAME:text copies it as the text that it is.";
  }

  private static int dimensions(Nested type) {
    return type instanceof ListOf(Type element, _)
        ? 1 + (element.nested() == null ? 0 : dimensions(element.nested()))
        : 0;
  }

  /// What to say of a time that has more digits than a type of microseconds.
  private static String nanoseconds(Type to, String value) {
    boolean isTime = to instanceof Type.Timestamp || to instanceof Type.Time;
    return isTime && NANOSECONDS.matcher(value).find()
        ? " It has nanoseconds, and the type ends at microseconds; --truncate-nanoseconds cuts"
            + " them."
        : "";
  }
}
