package millrace.job;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TablePattern;

/// An end with variables, such as `out/{table}.parquet`, that names one for each of many tables.
///
/// @param end as the user wrote it
public record NameTemplate(Endpoint end) {

  private static final Pattern VARIABLE = Pattern.compile("\\{([A-Za-z_]+)}");
  private static final String TABLE = "table";

  /// The parameter that names a part of a table that takes rows by itself.
  static final String PARTITION = "partition";

  /// A dot outside of quotes.
  private static final Pattern DOT = Pattern.compile("\\.(?=([^\"]*\"[^\"]*\")*[^\"]*$)");

  /// The names of the variables.
  public static final Set<String> VARIABLES =
      Set.of(
          TABLE,
          "stem",
          "schema",
          "stream_table",
          "stream_schema",
          "stream_name",
          "stream_file_name");

  /// Whether an end has a variable, or names tables by a star.
  public static boolean isTemplate(Endpoint end) {
    return VARIABLE.matcher(end.location()).find()
        || end.text(TABLE).filter(NameTemplate::hasVariable).isPresent()
        || end.text(PARTITION).filter(NameTemplate::hasVariable).isPresent()
        || TablePattern.isIn(end);
  }

  /// Whether a text has a variable.
  public static boolean hasVariable(String text) {
    return VARIABLE.matcher(text).find();
  }

  /// The target of one table.
  ///
  /// @param sameSystem whether the target is the source's system, so that names stay to the letter
  /// @throws Fault.User if a variable is unknown, or the name can't be part of a file's
  public Endpoint of(TableEntry entry, boolean sameSystem) {
    String name = entry.name();
    String written =
        sameSystem
            ? entry.written()
            : TablePattern.isPlain(name) ? name : TablePattern.quoted(name);
    Map<String, String> parameters = new HashMap<>(end.parameters());
    parameters.computeIfPresent(
        TABLE, (_, table) -> inDatabase(starred(table), entry, written, sameSystem));
    parameters.computeIfPresent(
        PARTITION, (_, partition) -> inDatabase(partition, entry, written, sameSystem));
    String location = expanded(starred(end.location()), entry, name, NameTemplate::inPath);
    return new Endpoint(end.scheme(), location, parameters, end.secret());
  }

  /// A text that is no end, such as the name of a file of bad records.
  public static String expanded(String text, TableEntry entry) {
    return expanded(text, entry, entry.name(), NameTemplate::inPath);
  }

  /// `shop.*` is `shop.{table}`.
  private static String starred(String text) {
    return text.endsWith("*") && !VARIABLE.matcher(text).find()
        ? text.substring(0, text.length() - 1) + "{" + TABLE + "}"
        : text;
  }

  private static String expanded(
      String text, TableEntry entry, String table, UnaryOperator<String> checked) {
    Map<String, String> values = new TreeMap<>();
    values.put(TABLE, table);
    values.put("stem", table);
    values.put("schema", entry.schema());
    values.put("stream_table", table);
    values.put("stream_schema", entry.schema());
    values.put("stream_name", entry.label());
    values.put("stream_file_name", table);
    Matcher variable = VARIABLE.matcher(text);
    StringBuilder expanded = new StringBuilder();
    while (variable.find()) {
      String value = values.get(variable.group(1));
      if (value == null) {
        String hint = Nearest.hint(variable.group(1), values.keySet());
        throw new Fault.User(
            variable.group() + " is no variable (" + text + ").",
            hint.isEmpty() ? "There are {" + String.join("}, {", values.keySet()) + "}." : hint);
      }
      variable.appendReplacement(expanded, Matcher.quoteReplacement(checked.apply(value)));
    }
    return variable.appendTail(expanded).toString();
  }

  /// A name with its schema or without. If quotes are needed, they go around all of the name that a
  /// table's own is a part of.
  private static String inDatabase(
      String text, TableEntry entry, String written, boolean sameSystem) {
    UnaryOperator<String> asIs = UnaryOperator.identity();
    if (!written.startsWith("\"")) {
      return expanded(text, entry, written, asIs);
    }
    List<String> parts = new ArrayList<>();
    for (String part : DOT.split(text)) {
      Matcher variable = VARIABLE.matcher(part);
      if (!variable.find() || variable.reset().matches()) {
        parts.add(expanded(part, entry, written, asIs));
      } else if (part.startsWith("\"")) {
        parts.add(expanded(part, entry, entry.name(), name -> name.replace("\"", "\"\"")));
      } else {
        String name = expanded(part, entry, entry.name(), asIs);
        boolean isBare = !sameSystem && TablePattern.isPlain(name);
        parts.add(isBare ? name : TablePattern.quoted(name));
      }
    }
    return String.join(".", parts);
  }

  private static String inPath(String name) {
    if (name.indexOf('/') >= 0 || name.indexOf('\0') >= 0 || name.equals("..")) {
      throw new Fault.User(
          "The name " + TablePattern.quoted(name) + " can't be part of a file's name.",
          "Leave the table out by --exclude, and copy it by itself.");
    }
    return name;
  }
}
