package millrace.cli.option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.job.TableTargets;
import millrace.job.TablesRequest;
import millrace.spi.catalog.TablePattern;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// The options of copies of many tables.
public final class ManyOptions {

  @Option(
      names = "--exclude",
      paramLabel = "A,B*",
      description = "Of many tables: leave these out, with their schema or without.")
  private List<String> exclude = List.of();

  @Option(
      names = "--tables",
      paramLabel = "FILE",
      description = "Of many tables: only those that the file names, one a line.")
  private @Nullable Path tables;

  @Option(
      names = "--fail-fast",
      description = "Of many tables: the first that fails stops the others.")
  private boolean failFast;

  @Option(
      names = "--definitions",
      paramLabel = "WHAT",
      converter = Reader.class,
      description =
          "Of many tables: what comes along: all (that schemas hold), tables (with all of theirs)"
              + " or none (columns and keys alone).")
  private TablesRequest.@Nullable Definitions definitions;

  @Option(
      names = "--grants",
      description = "Of whole databases: owners and grants come along too (PostgreSQL).")
  private boolean grants;

  /// Reads what comes along.
  static final class Reader implements ITypeConverter<TablesRequest.Definitions> {
    @Override
    public TablesRequest.Definitions convert(String value) {
      return switch (value) {
        case "all" -> TablesRequest.Definitions.ALL;
        case "tables" -> TablesRequest.Definitions.TABLES;
        case "none" -> TablesRequest.Definitions.NONE;
        default ->
            throw new TypeConversionException("It is all, tables or none, not " + value + ".");
      };
    }
  }

  /// How much of a database comes along.
  public TablesRequest.Definitions definitions() {
    return definitions == null ? TablesRequest.Definitions.USUAL : definitions;
  }

  /// Whether owners and grants do.
  public boolean grants() {
    return grants;
  }

  /// Whether a table that fails stops the others.
  public boolean failFast() {
    return failFast;
  }

  /// Whether only tables of a list are asked for.
  public boolean namesTables() {
    return tables != null;
  }

  /// Patterns of tables that are left out.
  public List<String> excluded() {
    List<String> names = new ArrayList<>();
    exclude.forEach(text -> names.addAll(NameList.parse("--exclude", text)));
    return names;
  }

  /// The tables of the list; empty if there is none.
  ///
  /// @throws Fault.User if the file can't be read or names none
  public List<TableTargets.Listed> only() {
    if (tables == null) {
      return List.of();
    }
    try {
      List<TableTargets.Listed> names = new ArrayList<>();
      List<String> lines = Files.readString(tables).replaceFirst("^\uFEFF", "").lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        String name = TablePattern.ofLine(lines.get(i));
        if (!name.isEmpty()) {
          names.add(new TableTargets.Listed(name, tables + ", line " + (i + 1)));
        }
      }
      if (names.isEmpty()) {
        throw new Fault.User("--tables " + tables + " names no table.", "Write one a line.");
      }
      return names;
    } catch (IOException e) {
      throw new Fault.User(
          "--tables " + tables + " can't be read: " + FileTrouble.of(e) + ".", "", e);
    }
  }

  /// What is asked for that makes no sense for one table.
  ///
  /// @throws Fault.User if anything is
  public void refuseForOne() {
    String given =
        !exclude.isEmpty()
            ? "--exclude"
            : tables != null
                ? "--tables"
                : failFast
                    ? "--fail-fast"
                    : definitions != null ? "--definitions" : grants ? "--grants" : "";
    if (!given.isEmpty()) {
      throw new Fault.User(
          given + " is for many tables, and FROM and TO name one.",
          "Name many: 'PROD:public.*' for FROM, or {table} in TO.");
    }
  }
}
