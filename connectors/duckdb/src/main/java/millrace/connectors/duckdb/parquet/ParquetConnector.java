package millrace.connectors.duckdb.parquet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.duckdb.DuckDbCatalog;
import millrace.connectors.duckdb.DuckDbDatabase;
import millrace.connectors.duckdb.DuckDbTypes;
import millrace.connectors.duckdb.read.DuckDbSource;
import millrace.connectors.duckdb.read.ParquetDamage;
import millrace.connectors.duckdb.read.QuerySource;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.data.Column;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.DataFiles;
import millrace.io.FileEntries;
import millrace.io.FileFormat;
import millrace.io.FolderValues;
import millrace.io.store.FileLocation;
import millrace.io.store.StoreOptions;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.Scratch;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableEntry;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;

/// Parquet files, read and written through DuckDB: `orders.parquet`, `dir/*.parquet`, or a folder
/// of them as Spark writes it.
public final class ParquetConnector implements Connector, Scratch, TableCatalog {

  private static final Pattern GLOB = Pattern.compile("[*?\\[]");

  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public List<String> schemes() {
    return List.of("parquet");
  }

  @Override
  public List<String> fileEndings() {
    return List.of(".parquet");
  }

  @Override
  public List<Option> options() {
    List<Option> own =
        List.of(
            new Option(
                "compression",
                "how pages are compressed when a file is written: snappy (default), zstd, gzip, lz4"
                    + " or uncompressed.",
                "zstd"),
            Option.sourceFlag(FolderValues.OPTION, FolderValues.HELP),
            DuckDbDatabase.MEMORY_LIMIT);
    return Stream.concat(own.stream(), StoreOptions.ALL.stream()).toList();
  }

  @Override
  public HostLocation place(Endpoint endpoint) {
    FileLocation location = FileLocation.of(endpoint);
    return location.isInStore() ? HostLocation.NOWHERE : HostLocation.of(DataFiles.place(location));
  }

  @Override
  public Endpoint scratch(Endpoint endpoint, String name) {
    return endpoint.beside(name);
  }

  @Override
  public void discard(Endpoint scratch) {
    DuckDbDatabase.delete(FileLocation.of(scratch).path());
  }

  @Override
  public List<TableEntry> tables(Endpoint end, OpenContext context) {
    return FileEntries.of(end);
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    String label = endpoint.label();
    FileLocation location = FileLocation.of(endpoint);
    boolean hasFolders = endpoint.flag(FolderValues.OPTION, false);
    String identity =
        name() + " " + DataFiles.identity(location) + (hasFolders ? " by folders" : "");
    Function<FileLocation, Source> reader =
        files ->
            new DuckDbSource(
                label,
                identity,
                () -> "",
                () -> DuckDbDatabase.inMemory(label, endpoint.size("memory-limit", 0)),
                session -> relation(label, files, hasFolders, selection.columnsToRead(), session),
                selection);
    return location.isInStore()
        ? new FetchedParquet(label, identity, location, reader)
        : reader.apply(location);
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    return new ParquetTarget(endpoint);
  }

  /// @param read names of the columns that are read, which are the ones checked; empty for all
  private static QuerySource relation(
      String label,
      FileLocation location,
      boolean hasFolders,
      List<String> read,
      SqlSession session) {
    List<String> paths = paths(label, location);
    List<String> files = paths.stream().map(ParquetConnector::literal).toList();
    if (files.isEmpty()) {
      FileTrouble.checkSourceLink(location.path(), label);
      throw Files.isDirectory(location.path())
          ? new Fault.User("There is no file in the folder " + label + ".", "")
          : new Fault.User(label + ": there is no such file.", "Correct the path.");
    }
    for (String path : paths) {
      FileFormat found = FileFormat.of(Path.of(path));
      if (found != null && found != FileFormat.PARQUET) {
        throw new Fault.User(
            path + " is not a Parquet file, but " + found.what() + ".", found.advice(path));
      }
    }
    Set<String> times = new LinkedHashSet<>();
    for (int i = 0; i < files.size(); i++) {
      String file = files.get(i);
      List<List<Node>> columns =
          ParquetDamage.whole(paths.get(i), () -> columns(session, file, read));
      List<Node> nodes = columns.stream().flatMap(List::stream).toList();
      checkDecimals(file, nodes);
      checkNames(file, nodes.iterator(), columns.size());
      columns.stream()
          .filter(column -> column.getFirst().type.equals("INT96"))
          .forEach(column -> times.add(column.getFirst().name));
      checkNested(file, columns);
    }
    String first = files.getFirst();
    List<ColumnInfo> described =
        ParquetDamage.whole(paths.getFirst(), () -> describe(session, first));
    for (int i = 1; i < files.size(); i++) {
      String file = files.get(i);
      compare(
          first, described, file, ParquetDamage.whole(paths.get(i), () -> describe(session, file)));
    }
    List<ColumnInfo> exact =
        described.stream()
            .map(column ->
                times.contains(column.name())
                    ? DuckDbCatalog.column(column.name(), "TIMESTAMP_NS", column.nullable())
                    : column)
            .toList();
    FolderValues folders =
        hasFolders
            ? FolderValues.of(label, paths.stream().map(Path::of).toList())
            : FolderValues.NONE;
    List<ColumnInfo> all = new ArrayList<>(exact);
    for (Column folder : folders.columns()) {
      if (exact.stream().anyMatch(column -> column.name().equalsIgnoreCase(folder.name()))) {
        throw new Fault.User(
            label + " has column " + folder.name() + " in its rows and in its folders' names.",
            "Leave --" + FolderValues.OPTION + " out, or give the folders another name.");
      }
      all.add(DuckDbCatalog.column(folder.name(), DuckDbTypes.declaration(folder), true));
    }
    return new QuerySource.Parquet(
        paths, files, folders, TableInfo.whole(TableInfo.Kind.QUERY, all), times);
  }

  /// Within lists and structs there is no way to have the nanoseconds.
  private static void checkNested(String file, List<List<Node>> columns) {
    List<String> nested =
        columns.stream()
            .filter(column ->
                column.size() > 1 && column.stream().anyMatch(node -> node.type.equals("INT96")))
            .map(column -> column.getFirst().name)
            .toList();
    if (!nested.isEmpty()) {
      throw new Fault.User(
          file
              + ": DuckDB, which reads Parquet here, would cut the nanoseconds of timestamps of"
              + " type INT96 within lists and structs: "
              + String.join(", ", nested)
              + ".",
          "Have them written as TIMESTAMP, or leave them out with --select.");
    }
  }

  private static List<String> paths(String label, FileLocation location) {
    try {
      return DataFiles.of(location).stream().map(Path::toString).toList();
    } catch (IOException e) {
      throw new Fault.External("Can't read " + label + ": " + FileTrouble.reason(e) + ".", "", e);
    }
  }

  /// A path as a pattern that fits it alone.
  private static String literal(String path) {
    return GLOB.matcher(path).replaceAll("[$0]");
  }

  /// A column or a field of one, as the file has it.
  ///
  /// @param fields how many fields of its own follow it
  /// @param type how its values are stored; empty for what has fields
  /// @param precision digits of a decimal, else 0
  private record Node(String name, long fields, String type, int precision) {}

  /// The columns of a file with these names, or all if there are none, each with its fields and
  /// theirs behind it.
  private static List<List<Node>> columns(SqlSession session, String file, List<String> names) {
    Iterator<Node> nodes =
        session
            .query(
                "SELECT name, num_children, coalesce(type, ''), precision FROM parquet_schema(?)"
                    + " ORDER BY column_id",
                row -> new Node(row.getString(1), row.getLong(2), row.getString(3), row.getInt(4)),
                file)
            .iterator();
    Node whole = nodes.next();
    List<List<Node>> columns = new ArrayList<>();
    for (long i = 0; i < whole.fields; i++) {
      List<Node> column = withFields(nodes);
      String name = column.getFirst().name;
      if (names.isEmpty() || names.stream().anyMatch(name::equalsIgnoreCase)) {
        columns.add(column);
      }
    }
    return columns;
  }

  private static List<Node> withFields(Iterator<Node> nodes) {
    Node node = nodes.next();
    List<Node> all = new ArrayList<>(List.of(node));
    for (long i = 0; i < node.fields; i++) {
      all.addAll(withFields(nodes));
    }
    return all;
  }

  /// DuckDB reads decimals that it has no type for as DOUBLE, which keeps some 15 of their digits.
  private static void checkDecimals(String file, List<Node> nodes) {
    List<String> wide =
        nodes.stream()
            .filter(node -> node.precision > DuckDbTypes.DIGITS_MAX)
            .map(Node::name)
            .toList();
    if (!wide.isEmpty()) {
      throw new Fault.User(
          file
              + ": decimals of more than "
              + DuckDbTypes.DIGITS_MAX
              + " digits would lose most of them in DuckDB, which reads Parquet here: "
              + String.join(", ", wide)
              + ".",
          "Have them written as text, or leave them out with --select.");
    }
  }

  /// DuckDB gives other names to what has none, or one that another beside it has but for its case.
  private static void checkNames(String file, Iterator<Node> nodes, long together) {
    Set<List<Integer>> seen = new HashSet<>();
    for (long i = 0; i < together; i++) {
      Node node = nodes.next();
      if (node.name.isEmpty() || !seen.add(folded(node.name))) {
        throw new Fault.User(
            file
                + (node.name.isEmpty()
                    ? " has a column or field without a name."
                    : " has several columns or fields named \""
                        + node.name
                        + "\", and case does not count: DuckDB, which reads Parquet here, would"
                        + " rename them."),
            "Rename them with what wrote the file, leave them out with --select, or name all"
                + " columns in a query of any DuckDB database: SELECT * FROM 'file.parquet' AS"
                + " t(id, price, …).");
      }
      checkNames(file, nodes, node.fields);
    }
  }

  /// What DuckDB tells names apart by: only the letters A to Z have a case for it.
  private static List<Integer> folded(String name) {
    return name.chars().map(c -> c < 0x80 ? Character.toLowerCase(c) : c).boxed().toList();
  }

  private static List<ColumnInfo> describe(SqlSession session, String file) {
    return DuckDbCatalog.describe(
        session, "SELECT * FROM " + QuerySource.Parquet.read(List.of(file), ""));
  }

  private static void compare(
      String first, List<ColumnInfo> expected, String file, List<ColumnInfo> found) {
    if (!expected.equals(found)) {
      throw new Fault.User(
          file
              + " has other columns than "
              + first
              + ": "
              + differing(found, expected)
              + " instead of "
              + differing(expected, found)
              + ".",
          "Read files with the same columns together, others apart.");
    }
  }

  private static String differing(List<ColumnInfo> some, List<ColumnInfo> others) {
    List<ColumnInfo> only = some.stream().filter(c -> !others.contains(c)).toList();
    List<ColumnInfo> shown = only.isEmpty() ? some : only;
    return shown.stream().map(c -> c.name() + " " + c.declared()).collect(Collectors.joining(", "));
  }
}
