package millrace.connectors.mariadb;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import org.jspecify.annotations.Nullable;

/// Makes of what SHOW CREATE TABLE says of a table the statements that make another like it: the
/// table with its keys and indexes, and its foreign keys once the rows of all tables are in. Pure.
final class DefinitionSplit {

  private static final String NAME = "`((?:[^`]|``)*)`";

  /// Behind the columns: `REFERENCES` and the table, with its database if that is another.
  private static final Pattern FOREIGN_KEY =
      Pattern.compile(
          "(CONSTRAINT "
              + NAME
              + " FOREIGN KEY \\(.*?\\) REFERENCES )(?:"
              + NAME
              + "\\.)?"
              + NAME
              + "( \\(.*)",
          Pattern.DOTALL);

  private static final Pattern CONSTRAINT =
      Pattern.compile("CONSTRAINT " + NAME + "(.*)", Pattern.DOTALL);

  private DefinitionSplit() {}

  /// Splits a statement.
  ///
  /// @param create what the server says of the table
  /// @param from the table
  /// @param to the one that is made
  /// @param targets where another table goes, as SQL; null if it is not copied
  /// @param constraints what a constraint is called, by its old name: names are the database's
  /// @param dependentObjects what else belongs to it and does not come along
  static CopiedDefinition of(
      String create,
      TableName from,
      String to,
      Function<TableName, @Nullable String> targets,
      UnaryOperator<String> constraints,
      List<LeftOut> dependentObjects) {
    List<String> lines = new ArrayList<>();
    List<CopiedDefinition.Reference> references = new ArrayList<>();
    List<LeftOut> leftOut = new ArrayList<>(dependentObjects);
    List<String> parts = parts(create);
    for (String each : parts.subList(0, parts.size() - 1)) {
      String part = renamed(each, constraints);
      Matcher foreignKey = FOREIGN_KEY.matcher(part);
      if (!foreignKey.matches()) {
        lines.add(part);
        continue;
      }
      String database = foreignKey.group(3) == null ? from.schema() : foreignKey.group(3);
      TableName other =
          new TableName(database.replace("``", "`"), foreignKey.group(4).replace("``", "`"));
      String target = targets.apply(other);
      if (target == null) {
        leftOut.add(
            LeftOut.of(
                "foreign key",
                foreignKey.group(2),
                "to " + other.label() + ", which is not copied"));
      } else {
        references.add(
            new CopiedDefinition.Reference(
                other.label(),
                "ALTER TABLE "
                    + to
                    + " ADD "
                    + foreignKey.group(1)
                    + target
                    + foreignKey.group(5)));
      }
    }
    String make =
        "CREATE TABLE " + to + " (\n  " + String.join(",\n  ", lines) + "\n" + parts.getLast();
    return new CopiedDefinition(List.of(make), List.of(), references, leftOut);
  }

  private static String renamed(String part, UnaryOperator<String> constraints) {
    Matcher named = CONSTRAINT.matcher(part);
    return named.matches()
        ? "CONSTRAINT `"
            + constraints.apply(named.group(1).replace("``", "`")).replace("`", "``")
            + "`"
            + named.group(2)
        : part;
  }

  /// What stands between the commas of the statement's parentheses, and last what stands from their
  /// end on.
  private static List<String> parts(String create) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int at = nameEnd(create); at < create.length(); at++) {
      char letter = create.charAt(at);
      if (letter == '\'' || letter == '`') {
        at = closing(create, at);
      } else if (letter == '(') {
        depth++;
        from = depth == 1 ? at + 1 : from;
      } else if (depth == 1 && (letter == ',' || letter == ')')) {
        parts.add(create.substring(from, at).strip());
        from = at + 1;
        if (letter == ')') {
          parts.add(create.substring(at));
          return parts;
        }
      } else if (letter == ')') {
        depth--;
      }
    }
    throw new Fault.Bug("no statement that makes a table: " + create, null);
  }

  private static int nameEnd(String create) {
    return closing(create, create.indexOf('`')) + 1;
  }

  /// Where a text or name in quotes ends; a quote within is written twice, or behind a backslash in
  /// a text.
  private static int closing(String create, int open) {
    char quote = create.charAt(open);
    for (int at = open + 1; at < create.length(); at++) {
      if (create.charAt(at) == '\\' && quote == '\'') {
        at++;
      } else if (create.charAt(at) == quote) {
        if (at + 1 == create.length() || create.charAt(at + 1) != quote) {
          return at;
        }
        at++;
      }
    }
    throw new Fault.Bug("a quote without its end: " + create, null);
  }
}
