package millrace.connectors.postgres.read;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.connectors.postgres.codec.BinaryCodec;
import millrace.connectors.postgres.codec.Money;
import millrace.connectors.postgres.codec.PostgresForms;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.read.Selection;
import millrace.spi.read.Split;
import millrace.spi.read.SqlWords;
import org.jspecify.annotations.Nullable;

/// What is read, how it is cut into splits, and the statements that read them.
///
/// A table is cut into ranges of blocks, its partitions one after the other; a row's place (`ctid`)
/// can't change under a snapshot, so that every row is in one range. A split says by its resource
/// what it is a part of: a table of its own, or, if nothing is cut, all of it.
///
/// @param label how the user knows it
/// @param from what stands behind FROM
/// @param relation null of a query
/// @param columns those that are wanted
/// @param leaves the tables that hold its rows; none of a query
/// @param oneLaneWhy why it can't be cut; empty if it can
record Scan(
    String label,
    String from,
    @Nullable Relation relation,
    List<TableColumn> columns,
    List<PostgresCatalog.Leaf> leaves,
    Selection selection,
    String oneLaneWhy) {

  /// From here on the server finds a range of blocks without a look at the others.
  private static final int RANGE_SCAN_SINCE = 140_000;

  private static final SqlWords.Moments MOMENTS =
      SqlWords.Moments.STANDARD.zoned("TIMESTAMPTZ '%s+00'");

  /// The splits, in order.
  ///
  /// @param blocksEach about how many blocks each is to have
  /// @param lanes most lanes at once
  /// @param version the server's
  List<Split> splits(long blocksEach, int lanes, int version) {
    List<Split> splits = new ArrayList<>();
    if (!oneLaneWhy.isEmpty()) {
      addRanges(splits, label, -1, Long.MAX_VALUE);
      return splits;
    }
    for (PostgresCatalog.Leaf leaf : leaves) {
      // Every range costs a look at the whole table otherwise: no more ranges than lanes.
      long step =
          findsRanges(version)
              ? blocksEach
              : Math.max(blocksEach, Math.ceilDiv(leaf.blocks(), lanes));
      addRanges(splits, leaf.name().sql(), leaf.blocks(), step);
    }
    return splits;
  }

  /// Whether a server reads a range of blocks without a look at the others.
  static boolean findsRanges(int version) {
    return version >= RANGE_SCAN_SINCE;
  }

  /// The last range has no end: it takes whatever lies behind the blocks counted.
  private static void addRanges(List<Split> splits, String resource, long blocks, long step) {
    long from = 0;
    do {
      boolean last = blocks - from <= step;
      long to = last ? Long.MAX_VALUE : from + step;
      splits.add(new Split(splits.size(), resource, from, to, from == 0 ? 1 : 0, 0));
      from = to;
    } while (from != Long.MAX_VALUE);
  }

  /// Whether no words of the user's, nor functions that he may have written, have a part in what is
  /// read.
  boolean readsByOurWords() {
    return relation != null
        && !relation.kind().equals("v")
        && !relation.rowSecurity()
        && leaves.stream().noneMatch(PostgresCatalog.Leaf::rowSecurity)
        && !selection.filters();
  }

  /// The columns, without a key.
  Schema schema() {
    return Schema.of(columns.stream().map(TableColumn::column).toList());
  }

  /// The statement that reads a split in a form. From the readers' threads.
  String copy(Split split, Form form) {
    return "COPY (" + select(split, form) + ") TO STDOUT (" + options(form) + ")";
  }

  private static String options(Form form) {
    return switch (form.name()) {
      case PostgresForms.TEXT -> "FORMAT text";
      case PostgresForms.CSV -> String.valueOf(PostgresForms.csvOptions(form));
      default -> "FORMAT binary";
    };
  }

  private String select(Split split, Form form) {
    String wanted =
        columns.stream().map(column -> expression(column, form)).collect(Collectors.joining(", "));
    String sql = "SELECT " + wanted + " FROM " + from(split) + condition(range(split));
    return selection.limit() == Long.MAX_VALUE ? sql : sql + " LIMIT " + selection.limit();
  }

  /// What the split is a part of.
  private String from(Split split) {
    String resource = split.resource();
    if (resource.equals(label)) {
      return from;
    }
    if (leaves.stream().noneMatch(leaf -> leaf.name().sql().equals(resource))) {
      throw new Fault.Bug("a split of something else: " + split, null);
    }
    return "ONLY " + resource;
  }

  /// Columns of types whose binary form we do not know come as text; in CSV, booleans are spelled
  /// in full as everywhere outside PostgreSQL.
  private static String expression(TableColumn column, Form form) {
    String name = PostgresSql.name(column.name());
    String wire = column.type().wire();
    boolean cast =
        switch (form.name()) {
          case PostgresForms.BINARY, PostgresForms.TEXT -> false;
          case PostgresForms.CSV ->
              column.type().binaryCodec() == BinaryCodec.BOOL || Money.isLocal(wire);
          default -> column.type().binaryCodec() == BinaryCodec.NONE;
        };
    if (!cast) {
      return name;
    }
    // The cast of this type alone says more than its output does: it adds /32 or /128 to hosts.
    return wire.equals("inet")
        ? "pg_catalog.textin(pg_catalog.inet_out(" + name + "))"
        : Money.asNumber(name, wire) + "::pg_catalog.text";
  }

  private static String range(Split split) {
    List<String> bounds = new ArrayList<>();
    if (split.from() > 0) {
      bounds.add("ctid >= '(" + split.from() + ",0)'::pg_catalog.tid");
    }
    if (split.to() != Long.MAX_VALUE) {
      bounds.add("ctid < '(" + split.to() + ",0)'::pg_catalog.tid");
    }
    return String.join(" AND ", bounds);
  }

  /// What the user and an incremental copy want of the rows; null if that is all.
  @Nullable String where() {
    return selection.condition(new SqlWords(PostgresSql::name, from, MOMENTS));
  }

  /// The WHERE clause for a range and what the user wants of it; empty if that is all.
  String condition(String range) {
    String where = where();
    if (where == null) {
      return range.isEmpty() ? "" : " WHERE " + range;
    }
    String wanted = "(" + PostgresSql.embedded(where) + ")";
    return " WHERE " + (range.isEmpty() ? wanted : range + " AND " + wanted);
  }
}
