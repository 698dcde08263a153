package millrace.io;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import millrace.data.Column;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// Values that stand in the names of folders, as Hive writes them: `y=2026/m=01/rows.csv`. Each is
/// a column of all the rows below its folder.
///
/// @param columns integers or dates if all values are some, else text
/// @param files of each file, its values in the order of the columns; null for a missing one
public record FolderValues(List<Column> columns, List<List<@Nullable String>> files) {

  /// The option by which users ask for them.
  public static final String OPTION = "hive-partitioning";

  /// What the option does.
  public static final String HELP =
      "Make columns of folders that are named as Hive names them, such as y=2026/m=01.";

  /// What stands for a missing value.
  private static final String MISSING = "__HIVE_DEFAULT_PARTITION__";

  private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,18}");
  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

  /// No folder has any.
  public static final FolderValues NONE = new FolderValues(List.of(), List.of());

  public FolderValues {
    columns = List.copyOf(columns);
    files = List.copyOf(files);
  }

  /// The values of files that are read together.
  ///
  /// @param label the files, for errors
  /// @throws Fault.User if no folder has any, or not all files have the same columns
  public static FolderValues of(String label, List<Path> paths) {
    List<Map<String, @Nullable String>> all = new ArrayList<>();
    paths.forEach(path -> all.add(values(path)));
    List<String> names = List.copyOf(all.getFirst().keySet());
    for (int i = 0; i < all.size(); i++) {
      List<String> values = List.copyOf(all.get(i).keySet());
      if (values.isEmpty() || !values.equals(names)) {
        throw new Fault.User(
            paths.get(i)
                + " lies in folders with "
                + (values.isEmpty() ? "no values" : "values of " + NameList.spelled(values, ", "))
                + (i == 0 ? "." : ", but " + paths.getFirst() + " in some of ")
                + (i == 0 ? "" : NameList.spelled(names, ", ") + "."),
            "--" + OPTION + " is for files in folders such as y=2026/m=01, all alike.");
      }
    }
    List<Column> columns = new ArrayList<>();
    for (String name : names) {
      columns.add(Column.of(name, type(name, all)));
    }
    List<List<@Nullable String>> files = new ArrayList<>();
    for (Map<String, @Nullable String> each : all) {
      List<@Nullable String> values = new ArrayList<>();
      each.values().forEach(values::add);
      files.add(values);
    }
    return new FolderValues(columns, files);
  }

  /// By name, in the order of the folders.
  private static Map<String, @Nullable String> values(Path path) {
    Map<String, @Nullable String> values = new LinkedHashMap<>();
    Path folder = path.getParent();
    for (int i = 0; folder != null && i < folder.getNameCount(); i++) {
      String part = folder.getName(i).toString();
      int equals = part.indexOf('=');
      if (equals > 0) {
        String value = part.substring(equals + 1);
        values.put(
            decoded(part.substring(0, equals)), value.equals(MISSING) ? null : decoded(value));
      }
    }
    return values;
  }

  private static Type type(String name, List<Map<String, @Nullable String>> all) {
    List<String> there = new ArrayList<>();
    for (Map<String, @Nullable String> each : all) {
      String value = each.get(name);
      if (value != null) {
        there.add(value);
      }
    }
    if (there.isEmpty()) {
      return Type.Text.UNLIMITED;
    }
    if (there.stream().allMatch(value -> INTEGER.matcher(value).matches())) {
      return new Type.Int(64);
    }
    return there.stream().allMatch(FolderValues::isDate) ? new Type.Date() : Type.Text.UNLIMITED;
  }

  private static boolean isDate(String value) {
    try {
      return DATE.matcher(value).matches() && LocalDate.parse(value).getYear() > 0;
    } catch (DateTimeException _) {
      return false;
    }
  }

  /// A name with `%20` and the like; what is none stays.
  private static String decoded(String name) {
    if (name.indexOf('%') < 0) {
      return name;
    }
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; i < bytes.length; i++) {
      int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
      int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
      if (bytes[i] == '%' && high >= 0 && low >= 0) {
        plain.write(high * 16 + low);
        i += 2;
      } else {
        plain.write(bytes[i]);
      }
    }
    return plain.toString(StandardCharsets.UTF_8);
  }

  /// Their names.
  public List<String> names() {
    return columns.stream().map(Column::name).toList();
  }
}
