package millrace.connectors.oracle.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.connectors.sql.TableInfo.Cut.RangeStarts;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// How a table keeps its rows.
///
/// @param kind what keeps them
/// @param parts what the smallest parts of a divided table are; empty if it is not divided
/// @param rows about how many there are, by statistics; -1 if there are none
/// @param rules what its definition says of that
public record OracleStorage(Kind kind, String parts, long rows, List<String> rules) {

  /// What keeps rows.
  enum Kind {
    /// Rows lie where their rowids say, and can be read as of a moment.
    HEAP(""),
    /// Its key's index.
    INDEX("organization by index"),
    /// A cluster has its rows, with those of other tables between them.
    CLUSTER("storage in cluster "),
    /// Files have its rows, or some of them, which have no rowids and no state of a moment.
    EXTERNAL("rows outside the database"),
    /// Its rows are the session's own.
    TEMPORARY("temporary rows"),
    /// It is none of the tables that are relational.
    OBJECTS("objects as rows");

    private final String rule;

    Kind(String rule) {
      this.rule = rule;
    }
  }

  private static final String DIVIDED = "partitions";

  private static final String OF_TABLE = " WHERE owner = ? AND table_name = ?";

  static OracleStorage of(SqlSession session, TableName table) {
    return session
        .query(
            "SELECT num_rows, partitioned, temporary, iot_type, cluster_name, (SELECT count(*) FROM"
                + " all_external_tables x WHERE x.owner = t.owner AND x.table_name = t.table_name)"
                + " FROM all_tables t"
                + OF_TABLE,
            row -> {
              long rows = row.getLong(1);
              boolean unknown = row.wasNull();
              boolean isDivided = row.getString(2).equals("YES");
              String cluster = row.getString(5);
              Kind kind =
                  row.getString(4) != null
                      ? Kind.INDEX
                      : row.getString(3).equals("Y")
                          ? Kind.TEMPORARY
                          : row.getInt(6) > 0
                              ? Kind.EXTERNAL
                              : cluster != null ? Kind.CLUSTER : Kind.HEAP;
              List<String> rules = new ArrayList<>();
              if (isDivided) {
                rules.add(DIVIDED);
              }
              if (kind != Kind.HEAP) {
                rules.add(kind.rule + (kind == Kind.CLUSTER ? cluster : ""));
              }
              return new OracleStorage(
                  kind, isDivided ? parts(session, table) : "", unknown ? -1 : rows, rules);
            },
            table.schema(),
            table.name())
        .stream()
        .findFirst()
        .orElse(new OracleStorage(Kind.OBJECTS, "", -1, List.of(Kind.OBJECTS.rule)));
  }

  /// Whether a table has partitions.
  public static boolean isDivided(TableInfo table) {
    return table.definition().rules().contains(DIVIDED);
  }

  /// What of a definition keeps direct path from the table; empty if nothing does.
  public static String unfit(List<String> rules) {
    return rules.stream().filter(OracleStorage::isUnfit).findFirst().orElse("");
  }

  private static boolean isUnfit(String rule) {
    return rule.startsWith(Kind.CLUSTER.rule)
        || Stream.of(Kind.values()).anyMatch(kind -> kind.rule.equals(rule));
  }

  private static String parts(SqlSession session, TableName table) {
    boolean isComposite =
        session
            .query(
                "SELECT subpartitioning_type FROM all_part_tables" + OF_TABLE,
                row -> row.getString(1),
                table.schema(),
                table.name())
            .stream()
            .anyMatch(type -> !type.equals("NONE"));
    return isComposite ? "SUBPARTITION" : "PARTITION";
  }

  /// By what rows are cut that lie still: by the server's own chunks; else, if the server can't be
  /// asked for them, by extents; else by partitions, if extents can't be seen.
  ///
  /// @param byKey a cut by the table's key; null if there is none
  @Nullable Cut cut(
      SqlSession session, TableName table, Dialect.Profile profile, @Nullable Cut byKey) {
    if (kind != Kind.HEAP) {
      return byKey;
    }
    String whyNot = RowidChunks.whyNot(session);
    if (whyNot.isEmpty()) {
      return byRowids(profile, (by, wanted) -> RowidChunks.starts(by, table, wanted).stream());
    }
    if (TableExtents.areSeen(session)) {
      return byRowids(
              profile, (by, wanted) -> TableExtents.starts(by, table, wanted.bytes()).stream())
          .noting("The table is read by its extents: " + whyNot + ".");
    }
    if (parts.isEmpty()) {
      return byKey == null ? null : byKey.noting("The table is read by its key: " + whyNot + ".");
    }
    return byParts(table, profile, ": " + whyNot);
  }

  private static Cut byRowids(Dialect.Profile profile, RangeStarts starts) {
    return new Cut("ROWID", profile.types().find("ROWID"), false, starts, "");
  }

  /// By partitions, since the user wants it so.
  ///
  /// @throws Fault.User if there are none
  Cut cutByParts(TableName table, Dialect.Profile profile) {
    if (kind != Kind.HEAP || parts.isEmpty()) {
      throw undivided(table.sql(profile.names()));
    }
    return byParts(table, profile, "");
  }

  /// What a user hears who wants partitions of what has none.
  static Fault undivided(String name) {
    return new Fault.User(
        name + " has no partitions that could be read by themselves.",
        "Leave --split-by out: a table is cut by rowids.");
  }

  private Cut byParts(TableName table, Dialect.Profile profile, String why) {
    return new Cut(
        "ROWID",
        profile.types().find("ROWID"),
        false,
        (other, _) -> names(other, table).stream(),
        "The table is read by its %ss, each as a whole%s."
            .formatted(parts.toLowerCase(Locale.ROOT), why),
        " " + parts + " (%s)");
  }

  /// The largest come first, so that lanes end at about the same time.
  private List<String> names(SqlSession session, TableName table) {
    String part = parts.toLowerCase(Locale.ROOT);
    return session.query(
        "SELECT %1$s_name FROM all_tab_%1$ss WHERE table_owner = ? AND table_name = ?"
                .formatted(part)
            + " ORDER BY num_rows DESC NULLS LAST, partition_name, %s_position".formatted(part),
        row -> row.getString(1),
        table.schema(),
        table.name());
  }
}
