package millrace.connectors.duckdb.load;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.fault.Shortened;
import millrace.spi.write.Rejects;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// Finds the rows in the staging table that the target's table would refuse, and sets them aside.
///
/// DuckDB takes a statement's rows all or not at all, undoes the whole transaction if it refuses
/// one, and names one row at most. So the rules are asked of all rows at once, as queries: first
/// what a row breaks by itself or against rows that are in the database; then, in the order of the
/// source, which rows are the second of a key. Of those the first stays, as if rows had been added
/// one by one. What no rule foretells is still refused by the table, and nothing has been changed
/// then.
///
/// On the target's thread, in its transaction.
public final class StagedRowCheck {

  private static final String REFUSED = "temp.millrace_refused";
  private static final String ASIDE = "temp.millrace_aside";

  /// How many records are fetched at a time.
  private static final int PAGE = 500;

  private final SqlSession session;
  private final DuckDBConnection connection;
  private final TableName table;
  private final List<AppendColumn> slots;
  private final RuleBook book;
  private final TemporaryStaging temporaryStaging;
  private final boolean merges;

  /// @param connection that of the statements
  public StagedRowCheck(
      SqlSession session,
      DuckDBConnection connection,
      TableName table,
      List<AppendColumn> slots,
      RuleBook book,
      TemporaryStaging temporaryStaging,
      boolean merges) {
    this.session = session;
    this.connection = connection;
    this.table = table;
    this.slots = slots;
    this.book = book;
    this.temporaryStaging = temporaryStaging;
    this.merges = merges;
  }

  /// Sets them aside, and removes them from the staging table.
  ///
  /// @param load where their splits came from
  /// @return how many there were
  /// @throws millrace.fault.Fault.Data if no more may be set aside
  public long run(DuckDbLoad load, Rejects rejects) {
    session.execute("CREATE TEMP TABLE millrace_refused AS " + brokenByThemselves());
    if (!merges && !book.uniques().isEmpty()) {
      refuseSeconds();
    }
    session.execute("CREATE TEMP TABLE millrace_aside AS " + withRecords());
    long reported = 0;
    for (long page = report(0, load, rejects); page > 0; page = report(reported, load, rejects)) {
      reported += page;
    }
    if (reported > 0) {
      long removed =
          session.update(
              "DELETE FROM "
                  + TemporaryStaging.TABLE
                  + " WHERE row("
                  + order()
                  + ") IN (SELECT row(split, number) FROM "
                  + REFUSED
                  + ")");
      if (removed != reported) {
        throw new Fault.Bug(reported + " rows were set aside, and " + removed + " left out", null);
      }
    }
    session.execute("DROP TABLE " + REFUSED);
    session.execute("DROP TABLE " + ASIDE);
    return reported;
  }

  private String order() {
    return temporaryStaging.extraColumn("split") + ", " + temporaryStaging.extraColumn("number");
  }

  /// The rows under the name of their table, which a rule may use.
  private String rows() {
    String assumed = book.assumed().stream().map(each -> ", " + each).collect(Collectors.joining());
    return "(SELECT *"
        + assumed
        + " FROM "
        + TemporaryStaging.TABLE
        + ") AS "
        + DuckDbSql.name(table.name());
  }

  /// Split, number and the reason of each row that breaks a rule whatever other rows come: the
  /// position of the rule, or -1 for a value that is none of its column's type.
  private String brokenByThemselves() {
    StringBuilder cases =
        new StringBuilder(
            "CASE WHEN " + temporaryStaging.extraColumn("misfit") + " IS NOT NULL THEN -1");
    for (int i = 0; i < book.rules().size(); i++) {
      String broken = book.rules().get(i).broken(table, !merges);
      if (broken != null) {
        cases.append(" WHEN ").append(broken).append(" THEN ").append(i);
      }
    }
    return "SELECT split, number, why, false AS second FROM (SELECT "
        + temporaryStaging.extraColumn("split")
        + " AS split, "
        + temporaryStaging.extraColumn("number")
        + " AS number, "
        + cases
        + " END AS why FROM "
        + rows()
        + ") WHERE why IS NOT NULL";
  }

  /// Of rows with one key the first stays, unless another key of it was there before.
  private void refuseSeconds() {
    int width = book.uniques().size();
    List<Set<Long>> taken = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      taken.add(new HashSet<>());
    }
    session.run(open -> {
      try (Statement statement = open.createStatement();
          DuckDBAppender refused = connection.createAppender("temp", "main", "millrace_refused")) {
        session.runs(statement);
        ResultSet rows = statement.executeQuery(sharedKeys());
        while (rows.next()) {
          int broken = second(rows, taken);
          if (broken >= 0) {
            refused.beginRow();
            refused.append(rows.getInt(1));
            refused.append(rows.getLong(2));
            refused.append(book.rules().indexOf(book.uniques().get(broken)));
            refused.append(true);
            refused.endRow();
          }
        }
        return rows;
      }
    });
  }

  /// The first of the unique rules that the row breaks because of a row that stays, or -1; then it
  /// stays as well.
  private static int second(ResultSet row, List<Set<Long>> taken) throws SQLException {
    List<@Nullable Long> groups = new ArrayList<>();
    for (int i = 0; i < taken.size(); i++) {
      long group = row.getLong(3 + i);
      groups.add(row.wasNull() ? null : group);
      if (!row.wasNull() && taken.get(i).contains(group)) {
        return i;
      }
    }
    for (int i = 0; i < taken.size(); i++) {
      Long group = groups.get(i);
      if (group != null) {
        taken.get(i).add(group);
      }
    }
    return -1;
  }

  /// The rows that share a key with another, in the order of the source: for each unique rule a
  /// number that is one for those with one key, or null if no other row has it.
  private String sharedKeys() {
    List<Rule.Unique> uniques = book.uniques();
    StringBuilder keys = new StringBuilder();
    StringBuilder groups = new StringBuilder();
    StringBuilder numbers = new StringBuilder();
    StringBuilder joins = new StringBuilder();
    for (int i = 0; i < uniques.size(); i++) {
      List<String> key = uniques.get(i).keys();
      keys.append(", CASE WHEN " + Rule.complete(key) + " THEN " + Rule.key(key) + " END AS k" + i);
      groups.append(
          ", g%1$d AS (SELECT k%1$d, row_number() OVER () AS n FROM keys WHERE k%1$d IS NOT NULL"
                  .formatted(i)
              + " GROUP BY k%d HAVING count(*) > 1)".formatted(i));
      numbers.append(", g" + i + ".n");
      joins.append(" LEFT JOIN g%1$d ON keys.k%1$d = g%1$d.k%1$d".formatted(i));
    }
    String shares =
        IntStream.range(0, uniques.size())
            .mapToObj(i -> "g" + i + ".n IS NOT NULL")
            .collect(Collectors.joining(" OR "));
    return "WITH keys AS (SELECT "
        + temporaryStaging.extraColumn("split")
        + " AS split, "
        + temporaryStaging.extraColumn("number")
        + " AS number"
        + keys
        + " FROM "
        + rows()
        + " WHERE row("
        + order()
        + ") NOT IN (SELECT row(split, number) FROM "
        + REFUSED
        + "))"
        + groups
        + " SELECT keys.split, keys.number"
        + numbers
        + " FROM keys"
        + joins
        + " WHERE "
        + shares
        + " ORDER BY 1, 2";
  }

  /// All that is told of the refused rows, numbered from 1 in the order of the source.
  private String withRecords() {
    List<CarriedColumns.Column> sent = CarriedColumns.PLACE.sent();
    String more =
        IntStream.range(0, sent.size())
            .mapToObj(i -> temporaryStaging.extraColumn(sent.get(i).name()) + " AS m" + i)
            .collect(Collectors.joining(", "));
    StringBuilder values = new StringBuilder();
    for (int i = 0; i < book.rules().size(); i++) {
      String shown =
          book.rules().get(i).keys().stream()
              .map(key -> " || coalesce(CAST(" + key + " AS VARCHAR), 'NULL')")
              .collect(Collectors.joining(" || ', '", "''", ""));
      values.append(", left(" + shown + ", " + DuckDbLoad.SHOWN_CHARACTERS + " + 1) AS v" + i);
    }
    String value =
        IntStream.range(0, book.rules().size())
            .mapToObj(i -> " WHEN " + i + " THEN v" + i)
            .collect(Collectors.joining("", "CASE why WHEN -1 THEN misfit_text", " END"));
    return "SELECT m0, m1, m2, m3, m4, m5, why, second, misfit, "
        + value
        + ", row_number() OVER (ORDER BY m0, m1) AS place, m6 FROM (SELECT "
        + more
        + ", "
        + temporaryStaging.extraColumn("misfit")
        + " AS misfit, "
        + temporaryStaging.extraColumn("misfit_text")
        + " AS misfit_text"
        + values
        + " FROM "
        + rows()
        + ") JOIN "
        + REFUSED
        + " ON m0 = split AND m1 = number";
  }

  /// Reports some of the rows from that place on. Returns how many.
  private long report(long from, DuckDbLoad load, Rejects rejects) {
    String range = " WHERE place > " + from + " AND place <= " + (from + PAGE);
    return session
        .query(
            "FROM " + ASIDE + range + " ORDER BY place",
            row -> {
              rejects.reject(reject(row, load));
              return row;
            })
        .size();
  }

  private Rejects.Reject reject(ResultSet row, DuckDbLoad load) throws SQLException {
    String record = row.getString(6);
    int why = row.getInt(7);
    String value = Shortened.value(String.valueOf(row.getString(10)), DuckDbLoad.SHOWN_CHARACTERS);
    String column;
    String reason;
    if (why < 0) {
      AppendColumn appendColumn = slots.get(row.getInt(9));
      column = appendColumn.name();
      reason = value + " does not fit " + appendColumn.declared() + ".";
    } else {
      Rule rule = book.rules().get(why);
      column = rule.column();
      reason = reason(rule, value, row.getBoolean(8));
    }
    return new Rejects.Reject(
        load.resource(row.getInt(1)),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        column,
        reason,
        record == null ? new byte[0] : record.getBytes(StandardCharsets.ISO_8859_1),
        inSplit(row));
  }

  /// Rows that the source does not number are counted as they came here, so that a second try knows
  /// them again.
  private static Rejects.Reject.@Nullable InSplit inSplit(ResultSet row) throws SQLException {
    long rowOfSplit = row.getLong(12);
    if (rowOfSplit == 0 && row.getLong(3) > 0) {
      return null;
    }
    return new Rejects.Reject.InSplit(
        row.getInt(1), rowOfSplit > 0 ? rowOfSplit : row.getLong(2) + 1);
  }

  private String reason(Rule rule, String value, boolean second) {
    String keys = "(" + String.join(", ", rule.keys()).replace("\"", "") + ")=(" + value + ")";
    return switch (rule) {
      case Rule.Check check -> keys + " violates " + check.text() + ".";
      case Rule.Unique unique ->
          keys
              + (second ? " has come before" : " is in " + DuckDbSql.shown(table) + " already")
              + ", which violates "
              + unique.text()
              + ".";
      case Rule.Reference reference ->
          keys
              + " is not in "
              + DuckDbSql.shown(reference.to())
              + ", which violates "
              + reference.text()
              + ".";
    };
  }
}
