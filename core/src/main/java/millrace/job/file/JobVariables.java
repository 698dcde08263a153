package millrace.job.file;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.job.NameTemplate;
import millrace.text.HiddenValues;
import org.jspecify.annotations.Nullable;

/// The variables of a job file. `{NAME}` is one of the file or of the command line, `${NAME}` also
/// one of the environment. `{{NAME}}` is `{NAME}` itself, and `$${NAME}` a dollar in front of a
/// variable. One thread.
public final class JobVariables {

  private static final String NAME = "[A-Za-z_][A-Za-z0-9_]*";

  private static final Pattern USE =
      Pattern.compile(
          "\\{\\{(?<braces>NAME)}}|\\$\\$\\{(?<dollar>NAME)}|\\$\\{(?<env>NAME)}|\\{(?<job>NAME)}"
              .replace("NAME", NAME));

  /// What drivers look for in the environment alone.
  private static final Pattern OF_DRIVERS =
      Pattern.compile("(PG|ORACLE_|COUCHDB_|MILLRACE_)\\w+|TNS_ADMIN|MYSQL_PWD|KUDU_JWT");

  private static final Pattern BRACES = Pattern.compile("\\{(" + NAME + ")}");
  private static final Pattern DOLLAR = Pattern.compile("\\$?\\{(" + NAME + ")}");

  private final String file;
  private final Map<String, String> environment;
  private final Map<String, String> set;
  private final HiddenValues hidden;
  private final Map<String, String> values = new TreeMap<>();

  /// Values of the file that hold some of the environment, as they are printed.
  private final Map<String, String> shown = new TreeMap<>();

  private final Map<String, String> defined = new TreeMap<>();
  private final Set<String> used = new HashSet<>();
  private final Map<String, Integer> unread = new TreeMap<>();

  /// @param file its name, for messages
  /// @throws Fault.User if a variable that is set has the name of one of Millrace's own
  JobVariables(String file, JobInputs inputs) {
    this.file = file;
    environment = inputs.environment();
    set = inputs.set();
    hidden = inputs.hidden();
    set.keySet().forEach(name -> check(name, "--set " + name));
    values.putAll(set);
  }

  /// A text as a job file has to hold it so that it means itself.
  public static String escaped(String text) {
    return BRACES.matcher(text).replaceAll("{{$1}}");
  }

  /// The same, but variables that differ from table to table stay.
  public static String escapedTemplate(String text) {
    return DOLLAR
        .matcher(text)
        .replaceAll(found -> {
          String name = found.group(1);
          String dollar = found.group().startsWith("$") ? "\\$" : "";
          return NameTemplate.VARIABLES.contains(name)
              ? dollar + dollar + "{" + name + "}"
              : dollar + "{{" + name + "}}";
        });
  }

  /// One that stands below `env:`; what is set on the command line wins.
  ///
  /// @throws Fault.User if it has the name of one of Millrace's own
  void declare(String name, String value, int line) {
    String place = file + ", line " + line + ": " + name;
    check(name, place);
    if (!name.matches(NAME)) {
      throw new Fault.User(
          place + " is no name of a variable.", "Write letters, digits and _, a letter first.");
    }
    if (name.startsWith("SLING_")) {
      throw new Fault.User(
          place + " is a setting of Sling's, and means nothing to Millrace.",
          JobKeys.SETTINGS_OF_SLING.getOrDefault(
              name, "Leave it out; docs/jobs.md has the keys that are understood."));
    }
    String filled = fill(value, line, false);
    used.add(name);
    unread.put(name, line);
    if (values.putIfAbsent(name, filled) == null) {
      shown.put(name, shown(value, line));
    }
  }

  private static void check(String name, String place) {
    if (NameTemplate.VARIABLES.contains(name)) {
      throw new Fault.User(place + " is a variable of Millrace's own.", "Give yours another name.");
    }
  }

  /// One that the file itself tells, such as the name of its target; another of that name goes.
  void define(String name, String value) {
    defined.put(name, value);
  }

  /// A text with its variables filled in.
  ///
  /// @param ofTables whether variables that differ from table to table stay as they are
  /// @throws Fault.User if one is not set
  String fill(String text, int line, boolean ofTables) {
    return USE.matcher(text)
        .replaceAll(use -> Matcher.quoteReplacement(value(use, line, ofTables)));
  }

  /// The same as it may be printed: `${NAME}` of the environment or the command line stays.
  String shown(String text, int line) {
    return USE.matcher(text)
        .replaceAll(use -> {
          String name = use.group("env") == null ? use.group("job") : use.group("env");
          return Matcher.quoteReplacement(
              isHidden(use.group("env"))
                  ? use.group()
                  : name != null && shown.containsKey(name)
                      ? shown.get(name)
                      : value(use, line, false));
        });
  }

  /// Whether what is written `${NAME}` stands outside of the file.
  private boolean isHidden(@Nullable String name) {
    return name != null && (set.containsKey(name) || !values.containsKey(name));
  }

  private String value(MatchResult use, int line, boolean ofTables) {
    if (use.group("braces") != null) {
      return "{" + use.group("braces") + "}";
    }
    if (use.group("dollar") != null) {
      return "$" + ofJob(use.group("dollar"), line, ofTables);
    }
    return use.group("env") != null
        ? ofEnvironment(use.group("env"), line)
        : ofJob(use.group("job"), line, ofTables);
  }

  private String ofEnvironment(String name, int line) {
    String value = valueOf(name, environment);
    if (value == null) {
      throw new Fault.User(
          file + ", line " + line + ": the variable " + name + " is not set.",
          "Set it in the environment, below env:, or by --set " + name + "=VALUE.");
    }
    if (isHidden(name)) {
      hidden.hide(value, "${" + name + "}");
    }
    return value;
  }

  private String ofJob(String name, int line, boolean ofTables) {
    boolean differs = NameTemplate.VARIABLES.contains(name);
    if (differs && ofTables) {
      return "{" + name + "}";
    }
    String value = valueOf(name, defined);
    if (value != null) {
      return value;
    }
    if (differs) {
      throw new Fault.User(
          file + ", line " + line + ": {" + name + "} has a value in object: and rejects: only.",
          "Name the table itself. Braces that are no variable are written {{" + name + "}}.");
    }
    throw new Fault.User(
        file + ", line " + line + ": the variable {" + name + "} is not set.", unset(name));
  }

  private String unset(String name) {
    if (name.startsWith("incremental_")) {
      return "Leave the condition out: update_key: adds its own.";
    }
    if (name.equals("target_schema")) {
      return "Give the target's connection a schema:, or write the schema itself.";
    }
    Set<String> known = new TreeSet<>(values.keySet());
    known.addAll(defined.keySet());
    known.addAll(NameTemplate.VARIABLES);
    String hint = Nearest.hint(name, known);
    return (hint.isEmpty() ? "" : hint + " ")
        + "Set it below env:, or by --set "
        + name
        + "=VALUE. Braces that are no variable are written {{"
        + name
        + "}}.";
  }

  private @Nullable String valueOf(String name, Map<String, String> otherwise) {
    used.add(name);
    unread.remove(name);
    String value = values.get(name);
    return value == null ? otherwise.get(name) : value;
  }

  /// Sees to it that what was set on the command line is used somewhere, and so is what stands
  /// below `env:` under a name that a driver would look for in the environment.
  ///
  /// @throws Fault.User if one is not
  void checkUsed() {
    unread.forEach((name, line) -> {
      if (OF_DRIVERS.matcher(name).matches()) {
        throw new Fault.User(
            file + ", line " + line + ": " + name + " is a variable of this file, and unused.",
            "Drivers take it from the environment alone: set it there, or write ${"
                + name
                + "} in the file.");
      }
    });
    for (String name : new TreeSet<>(set.keySet())) {
      if (!used.contains(name)) {
        throw new Fault.User(
            "--set " + name + ": " + file + " has no {" + name + "}.",
            Nearest.hint(name, used).isEmpty()
                ? "Leave it out, or write {" + name + "} in the file."
                : Nearest.hint(name, used));
      }
    }
  }
}
