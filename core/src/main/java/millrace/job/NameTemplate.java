package millrace.job;

import java.util.HashMap;
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

  /// The parameter of a table that is read, and compared, without those that inherit from it.
  private static final String OWN_ROWS = "own-rows";

  /// The parameter that names a part of a table that takes rows by itself.
  static final String PARTITION = "partition";

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
    String schema =
        sameSystem || !TablePattern.isPlain(entry.schema()) ? writtenSchema(entry) : entry.schema();
    Map<String, String> parameters = new HashMap<>(end.parameters());
    parameters.computeIfPresent(
        TABLE, (_, table) -> written(starred(table), entry, schema, written, sameSystem));
    parameters.computeIfPresent(
        PARTITION, (_, part) -> written(part, entry, schema, written, sameSystem));
    if (sameSystem) {
      entry.end().text(OWN_ROWS).ifPresent(own -> parameters.put(OWN_ROWS, own));
    }
    String location = expanded(starred(end.location()), entry);
    return new Endpoint(end.scheme(), location, parameters, end.secret());
  }

  /// The schema as the system's own users write it: so stands it in the end that reads the table.
  private static String writtenSchema(TableEntry entry) {
    String table = entry.end().text(TABLE).orElse("");
    return TablePattern.parse(table).schemaQuoted()
        ? TablePattern.quoted(entry.schema())
        : entry.schema();
  }

  /// A name in a database, with dots between its parts. A part that is one variable is written as
  /// users write it. In one that has other letters too, quotes go around the whole.
  private static String written(
      String template, TableEntry entry, String schema, String written, boolean sameSystem) {
    Map<String, String> raw = values(entry, entry.schema(), entry.name());
    Map<String, String> quoted = values(entry, schema, written);
    if (!schema.isEmpty()) {
      quoted.put("stream_name", schema + "." + written);
    }
    StringBuilder name = new StringBuilder();
    int begin = 0;
    boolean inQuotes = false;
    for (int i = 0; i <= template.length(); i++) {
      boolean ends = i == template.length() || (template.charAt(i) == '.' && !inQuotes);
      inQuotes ^= !ends && template.charAt(i) == '"';
      if (ends) {
        name.append(part(template.substring(begin, i), template, raw, quoted, sameSystem));
        name.append(i == template.length() ? "" : ".");
        begin = i + 1;
      }
    }
    return name.toString();
  }

  private static String part(
      String part,
      String template,
      Map<String, String> raw,
      Map<String, String> quoted,
      boolean sameSystem) {
    if (VARIABLE.matcher(part).matches()) {
      return expanded(part, template, quoted, UnaryOperator.identity());
    }
    if (part.indexOf('"') >= 0) {
      return expanded(part, template, raw, value -> value.replace("\"", "\"\""));
    }
    String name = expanded(part, template, raw, UnaryOperator.identity());
    boolean needsQuotes =
        VARIABLE
            .matcher(part)
            .results()
            .anyMatch(found -> quoted.getOrDefault(found.group(1), "").indexOf('"') >= 0);
    boolean isBare = !sameSystem && TablePattern.isPlain(name);
    return needsQuotes && !isBare ? TablePattern.quoted(name) : name;
  }

  /// A text that is no name of a table, such as the name of a file of bad records.
  public static String expanded(String text, TableEntry entry) {
    return expanded(text, text, values(entry, entry.schema(), entry.name()), NameTemplate::inPath);
  }

  /// `shop.*` is `shop.{table}`, and `*.*` is `{schema}.{table}`.
  private static String starred(String text) {
    return text.endsWith("*") && !VARIABLE.matcher(text).find()
        ? text.substring(0, text.length() - 1).replaceFirst("^\\*\\.$", "{schema}.")
            + "{"
            + TABLE
            + "}"
        : text;
  }

  private static Map<String, String> values(TableEntry entry, String schema, String table) {
    Map<String, String> values = new TreeMap<>();
    values.put(TABLE, table);
    values.put("stem", table);
    values.put("schema", schema);
    values.put("stream_table", table);
    values.put("stream_schema", schema);
    values.put("stream_name", entry.label());
    values.put("stream_file_name", table);
    return values;
  }

  /// @param context what the text is a part of, for messages
  private static String expanded(
      String text, String context, Map<String, String> values, UnaryOperator<String> checked) {
    Matcher variable = VARIABLE.matcher(text);
    StringBuilder expanded = new StringBuilder();
    while (variable.find()) {
      String value = values.get(variable.group(1));
      if (value == null) {
        String hint = Nearest.hint(variable.group(1), values.keySet());
        throw new Fault.User(
            variable.group() + " is no variable (" + context + ").",
            hint.isEmpty() ? "There are {" + String.join("}, {", values.keySet()) + "}." : hint);
      }
      variable.appendReplacement(expanded, Matcher.quoteReplacement(checked.apply(value)));
    }
    return variable.appendTail(expanded).toString();
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
