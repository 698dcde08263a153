package millrace.connectors.file;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import millrace.connectors.file.csv.FileColumns;
import millrace.connectors.file.csv.FolderValue;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.SpellingStyle;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.io.FolderValues;
import millrace.spi.ColumnsOption.Named;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// Settles the names and types of a file's columns: from its header, the user, the target, and the
/// sample, whichever is to be asked first.
final class FileSchema {

  /// The position of a column that goes no further than the condition.
  private static final int NOWHERE = -1;

  private FileSchema() {}

  /// A column, and whether its type is that of the sample.
  private record Settled(Column column, boolean guessed) {

    static Settled by(Column column) {
      return new Settled(column, false);
    }

    static Settled guess(String name, Type sampled) {
      return new Settled(Column.of(name, sampled), true);
    }

    /// With the type that the user says, if any.
    Settled as(@Nullable Type type) {
      return type == null ? this : by(Column.of(column.name(), type));
    }
  }

  /// The columns of the file.
  ///
  /// @param head the first file, its header settled
  /// @param sampled the types of its fields by sample
  /// @param styles how the values of its fields are spelled
  /// @param spec what the user says of the columns
  /// @param folders what stands in the names of the files' folders
  static FileColumns of(
      FileHead head,
      List<Type> sampled,
      List<SpellingStyle> styles,
      InputSpec spec,
      FolderValues folders,
      ColumnRequest columnRequest,
      Selection selection,
      String label) {
    List<Named> named = spec.named().stream().filter(each -> !isOf(folders, each.name())).toList();
    List<String> names =
        head.hasHeader()
            ? byName(unique(head.names()), named, label)
            : byPosition(head.width(), named, label);
    boolean haveNames = haveNames(head, named, columnRequest);
    List<String> all = new ArrayList<>(names);
    all.addAll(folders.names());
    refuseSame(names, folders, label);
    SpellingStyle base = head.dialect().temporals();
    List<String> read = selection.columns().isEmpty() ? List.of() : selection.columnsToRead();
    List<Integer> fieldOf = Selection.positions(label, read, all);
    int passed = fieldOf.size() - selection.conditionColumns();
    List<Column> wantedColumns = new ArrayList<>();
    List<Boolean> guessed = new ArrayList<>();
    List<SpellingStyle> wantedStyles = new ArrayList<>();
    for (int i = 0; i < fieldOf.size(); i++) {
      int field = fieldOf.get(i);
      int position = i < passed ? i : NOWHERE;
      String name = all.get(field);
      Type found =
          field < names.size()
              ? sampled.get(field)
              : folders.columns().get(field - names.size()).type();
      Settled settled =
          column(name, position, found, columnRequest, haveNames || field >= names.size())
              .as(typeOf(name, spec));
      wantedColumns.add(settled.column());
      guessed.add(settled.guessed() && field < names.size());
      SpellingStyle style =
          field < names.size()
              ? styleFor(settled.column().type(), styles.get(field), base)
              : SpellingStyle.ISO;
      wantedStyles.add(styleOf(name, style, named));
    }
    List<Integer> from =
        fieldOf.stream()
            .map(field -> field < names.size() ? field : names.size() - 1 - field)
            .toList();
    return new FileColumns(names, Schema.of(wantedColumns), from, guessed, wantedStyles, List.of());
  }

  /// What was recognised of a field, as far as its type may be spelled so. An instant has an offset
  /// from UTC, which no format that is recognised has.
  private static SpellingStyle styleFor(Type type, SpellingStyle found, SpellingStyle base) {
    boolean isInstant = type instanceof Type.Timestamp(boolean zoned) && zoned;
    return type instanceof Type.Text || (isInstant && base.timeZone() == null) ? base : found;
  }

  /// The style of a field, with what the user says of its column.
  private static SpellingStyle styleOf(String name, SpellingStyle style, List<Named> named) {
    int at = Selection.position(name, named.stream().map(Named::name).toList());
    return at < 0 ? style : HeldAs.style(style, named.get(at));
  }

  private static boolean isOf(FolderValues folders, String name) {
    return Selection.position(name, folders.names()) >= 0;
  }

  private static void refuseSame(List<String> names, FolderValues folders, String label) {
    for (String name : folders.names()) {
      if (names.stream().anyMatch(name::equalsIgnoreCase)) {
        throw new Fault.User(
            label + " has column " + name + " in its records and in the names of its folders.",
            "Leave --" + FolderValues.OPTION + " out, or give the folders another name.");
      }
    }
  }

  /// The values of a file's folders, by column.
  ///
  /// @throws Fault.User if one is not of its column's type
  static List<FolderValue> folderValues(
      FileHead head, FileColumns columns, FolderValues folders, List<@Nullable String> ofFolder) {
    List<FolderValue> values = new ArrayList<>();
    for (int i = 0; i < ofFolder.size(); i++) {
      int column = columns.fieldOf().indexOf(-1 - i);
      String text = ofFolder.get(i);
      Type type = column < 0 ? Type.Text.UNLIMITED : columns.schema().column(column).type();
      FolderValue value = FolderValue.of(text, type);
      if (value == null) {
        throw new Fault.User(
            head.file().name()
                + ": "
                + folders.names().get(i)
                + "="
                + text
                + " in its path is no "
                + type.label()
                + ".",
            "--columns " + folders.names().get(i) + ":text reads it as text.");
      }
      values.add(value);
    }
    return values;
  }

  /// Whether names of columns are more than their positions: they stand in the file, or the user
  /// has said them, be it that he gives `column1` another name.
  static boolean haveNames(FileHead head, List<Named> named, ColumnRequest columnRequest) {
    return head.hasHeader()
        || !named.isEmpty()
        || (columnRequest instanceof ColumnRequest.Like(Schema like, boolean byPosition)
            && !byPosition
            && byPosition(head.width(), named, "").stream().anyMatch(like.names()::contains));
  }

  private static List<String> byName(List<String> header, List<Named> named, String label) {
    for (Named each : named) {
      if (Selection.position(each.name(), header) < 0) {
        throw new Fault.User(
            "columns= names '" + each.name() + "', which " + label + " does not have.",
            (Nearest.hint(each.name(), header) + " It has " + NameList.spelled(header, ", ") + ".")
                .strip());
      }
    }
    return header;
  }

  private static @Nullable Type typeOf(String name, InputSpec spec) {
    int at = Selection.position(name, spec.named().stream().map(Named::name).toList());
    return at < 0 ? spec.otherType() : spec.named().get(at).type();
  }

  private static List<String> byPosition(int width, List<Named> named, String label) {
    if (!named.isEmpty() && named.size() != width) {
      throw new Fault.User(
          "columns= names " + named.size() + " columns, but " + label + " has " + width + ".",
          "Without a header every column must be named.");
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      names.add(named.isEmpty() ? "column" + (i + 1) : named.get(i).name());
    }
    return names;
  }

  /// One column, by what is wanted of it.
  ///
  /// @param position among those that go to the target, or {@link #NOWHERE}
  /// @param named whether its name is more than its position
  private static Settled column(
      String name, int position, Type sampled, ColumnRequest columnRequest, boolean named) {
    return switch (columnRequest) {
      case ColumnRequest.Typed(Map<String, Type> declared) ->
          Settled.guess(name, sampled).as(ColumnRequest.declared(name, declared));
      case ColumnRequest.Untyped(List<String> but, Map<String, Type> declared) ->
          (Selection.position(name, but) < 0
                  ? Settled.by(Column.of(name, Type.Text.UNLIMITED))
                  : Settled.guess(name, sampled))
              .as(ColumnRequest.declared(name, declared));
      case ColumnRequest.Like(Schema target, boolean byPosition) -> {
        int pair = named && !byPosition ? Selection.position(name, target.names()) : position;
        if (position == NOWHERE || pair < 0 || pair >= target.width()) {
          yield Settled.guess(name, sampled);
        }
        Column like = target.column(pair);
        yield Settled.by(new Column(name, like.type(), true, like.declared()));
      }
    };
  }

  /// Names for a header's fields that can stand beside each other: a second `x` is `x_2`, and a
  /// field without a name is called by its position.
  static List<String> unique(List<String> header) {
    List<String> names = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (int i = 0; i < header.size(); i++) {
      String base = header.get(i).isEmpty() ? "column" + (i + 1) : header.get(i);
      String name = base;
      for (int number = 2; !taken.add(name); number++) {
        name = base + "_" + number;
      }
      names.add(name);
    }
    return names;
  }

  /// The columns of another file of the same source.
  ///
  /// @throws Fault.User if it has not the same columns, naming it
  static FileColumns ofAnother(FileHead other, FileHead lead, FileColumns columns) {
    return other.hasHeader() ? columns.reordered(order(other, lead)) : columns;
  }

  /// Which of the first file's fields each field of another file is.
  ///
  /// @throws Fault.User if it has not the same columns, naming it
  static List<Integer> order(FileHead other, FileHead lead) {
    if (!other.hasHeader()) {
      if (!other.isEmpty() && other.width() != lead.width()) {
        throw new Fault.User(
            other.file().name()
                + " has "
                + other.width()
                + " columns, but "
                + lead.file().name()
                + " has "
                + lead.width()
                + ".",
            "Files that are read together must have the same columns.");
      }
      return IntStream.range(0, lead.width()).boxed().toList();
    }
    List<String> header = unique(other.names());
    List<String> leading = unique(lead.names());
    List<Integer> order = new ArrayList<>();
    for (String name : header) {
      order.add(Selection.position(name, leading));
    }
    if (header.size() != leading.size() || order.contains(-1)) {
      throw new Fault.User(
          other.file().name()
              + " has the columns "
              + NameList.spelled(header, ", ")
              + ", but "
              + lead.file().name()
              + " has "
              + String.join(", ", leading)
              + ".",
          "Files that are read together must have the same columns, in any order.");
    }
    return order;
  }
}
