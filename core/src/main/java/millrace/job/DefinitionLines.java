package millrace.job;

import java.util.ArrayList;
import java.util.List;
import millrace.plan.Plan;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.TableDefinitions;
import millrace.spi.catalog.TablePattern;

/// What is made beside the rows, as lines of a plan. Pure.
///
/// @param copies those whose tables may be made
/// @param all how, in the same order
public record DefinitionLines(List<TableCopy> copies, TableDefinitions.Found all) {

  public DefinitionLines {
    copies = List.copyOf(copies);
  }

  /// How a table is made; none if the job does not make it.
  public List<String> of(TableCopy copy) {
    int place = copies.indexOf(copy);
    CopiedDefinition definition = place < 0 ? CopiedDefinition.NONE : all.tables().get(place);
    List<String> lines = new ArrayList<>(line("", definition.make()));
    lines.addAll(line("-- after its rows:\n", definition.afterRows()));
    lines.addAll(line("-- after the rows of all tables:\n", definition.afterAll()));
    return lines;
  }

  /// What else is made before all rows. Tables are named at their places.
  public List<String> before() {
    List<String> statements = new ArrayList<>();
    for (TableDefinitions.Step step : all.before()) {
      switch (step) {
        case TableDefinitions.Made made -> statements.addAll(made.statements());
        case TableDefinitions.Table(int table) ->
            statements.add("-- the table " + copies.get(table).name());
      }
    }
    return line("-- before all rows:\n", statements);
  }

  /// What else is made after all rows.
  public List<String> after() {
    return line("-- after all rows and keys:\n", TableDefinitions.Made.statements(all.after()));
  }

  /// Whether a table goes into a schema that the job makes first, so that nothing else can be said
  /// of its copy yet.
  public boolean waitsForSchema(TableCopy copy) {
    String schema = TablePattern.parse(copy.to().text("table").orElse("")).schema();
    return all.before().stream()
        .anyMatch(step ->
            step instanceof TableDefinitions.Made made
                && List.of("schema", "database").contains(made.kind())
                && TablePattern.parse(made.name() + ".t").schema().equals(schema));
  }

  private static List<String> line(String begin, List<String> statements) {
    return statements.isEmpty()
        ? List.of()
        : List.of(Plan.indented("ddl      " + begin + String.join(";\n", statements)));
  }
}
