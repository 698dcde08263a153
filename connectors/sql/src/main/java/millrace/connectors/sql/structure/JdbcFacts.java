package millrace.connectors.sql.structure;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.structure.StructureFacts.CheckFact;
import millrace.connectors.sql.structure.StructureFacts.ColumnFact;
import millrace.connectors.sql.structure.StructureFacts.IndexPart;
import millrace.connectors.sql.structure.StructureFacts.KeyPart;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableStructure.Action;
import org.jspecify.annotations.Nullable;

/// What JDBC itself tells of tables, for databases that need no queries of their own. It knows no
/// checks and no next numbers: those that are told are behind the greatest.
///
/// @param checks gives the conditions of a table, by its schema and name; empty if nobody knows
public record JdbcFacts(String checks) implements SqlStructures.FactReader {

  @Override
  public StructureFacts read(SqlSession session, String schema, List<String> tables) {
    List<ColumnFact> columns = new ArrayList<>();
    List<IndexPart> indexes = new ArrayList<>();
    List<KeyPart> keys = new ArrayList<>();
    List<CheckFact> conditions = new ArrayList<>();
    List<CheckFact> partsLeft = new ArrayList<>();
    for (String table : tables) {
      session.ask(connection -> {
        Named named = Named.of(connection, schema, table);
        columns.addAll(named.columns(partsLeft));
        indexes.addAll(named.indexes());
        return keys.addAll(named.foreignKeys());
      });
      if (!checks.isEmpty()) {
        List<String> found = session.query(checks, row -> row.getString(1), schema, table);
        for (int i = 0; i < found.size(); i++) {
          conditions.add(new CheckFact(table, table + "_check_" + (i + 1), found.get(i)));
        }
      }
    }
    List<LeftOut> leftOut = session.ask(connection -> Named.of(connection, schema, "").views());
    return new StructureFacts(columns, indexes, keys, conditions, partsLeft, leftOut, false);
  }

  /// A table as JDBC names it. Some servers call a database a catalog and know no schemas.
  private record Named(
      DatabaseMetaData meta, @Nullable String catalog, @Nullable String schema, String table) {

    static Named of(Connection connection, String schema, String table) throws SQLException {
      DatabaseMetaData meta = connection.getMetaData();
      return meta.supportsSchemasInTableDefinitions()
          ? new Named(meta, connection.getCatalog(), schema, table)
          : new Named(meta, schema.isEmpty() ? connection.getCatalog() : schema, null, table);
    }

    private interface RowTaker {
      void take(ResultSet row) throws SQLException;
    }

    private void each(ResultSet rows, String end, RowTaker taker) throws SQLException {
      try (rows) {
        while (rows.next()) {
          String of = rows.getString(end + "TABLE_SCHEM");
          boolean isOf = schema == null || of == null || schema.equals(of);
          if (isOf && (table.isEmpty() || table.equals(rows.getString(end + "TABLE_NAME")))) {
            taker.take(rows);
          }
        }
      }
    }

    private List<ColumnFact> columns(List<CheckFact> partsLeft) throws SQLException {
      List<ColumnFact> found = new ArrayList<>();
      each(
          meta.getColumns(catalog, schema, table, null),
          "",
          row -> {
            // A driver may read columns in order only.
            String name = row.getString("COLUMN_NAME");
            String otherwise = Objects.requireNonNullElse(row.getString("COLUMN_DEF"), "");
            boolean isNumbered = "YES".equals(row.getString("IS_AUTOINCREMENT"));
            boolean isComputed = "YES".equals(row.getString("IS_GENERATEDCOLUMN")) && !isNumbered;
            if (isComputed) {
              partsLeft.add(new CheckFact(table, name, "computed column"));
            } else if (isNumbered || !otherwise.isEmpty()) {
              found.add(new ColumnFact(table, name, otherwise, isNumbered ? 0L : null));
            }
          });
      return found;
    }

    private List<IndexPart> indexes() throws SQLException {
      List<String> key = new ArrayList<>();
      each(
          meta.getPrimaryKeys(catalog, schema, table),
          "",
          row -> key.add(row.getString("COLUMN_NAME")));
      List<IndexPart> parts = new ArrayList<>();
      each(
          meta.getIndexInfo(catalog, schema, table, false, true),
          "",
          row -> {
            String name = row.getString("INDEX_NAME");
            String condition = row.getString("FILTER_CONDITION");
            if (name != null) {
              parts.add(
                  new IndexPart(
                      table,
                      name,
                      condition != null && !condition.isEmpty()
                          ? "with a condition"
                          : row.getBoolean("NON_UNIQUE") ? "I" : "U",
                      row.getString("COLUMN_NAME"),
                      "D".equals(row.getString("ASC_OR_DESC"))));
            }
          });
      List<IndexPart> all = new ArrayList<>();
      for (IndexPart part : parts) {
        List<String> columns =
            parts.stream()
                .filter(each -> each.index().equals(part.index()))
                .map(each -> String.valueOf(each.column()))
                .sorted()
                .toList();
        if (!columns.equals(key.stream().sorted().toList())) {
          all.add(part);
        }
      }
      key.forEach(column -> all.add(new IndexPart(table, "PRIMARY", "P", column, false)));
      return all;
    }

    private List<KeyPart> foreignKeys() throws SQLException {
      List<KeyPart> parts = new ArrayList<>();
      each(
          meta.getImportedKeys(catalog, schema, table),
          "FK",
          row -> {
            String other =
                schema == null ? row.getString("PKTABLE_CAT") : row.getString("PKTABLE_SCHEM");
            String name = row.getString("FK_NAME");
            String referenced = row.getString("PKTABLE_NAME");
            parts.add(
                new KeyPart(
                    table,
                    name == null || name.isEmpty() ? table + "_" + referenced + "_fkey" : name,
                    row.getString("FKCOLUMN_NAME"),
                    new TableName(Objects.requireNonNullElse(other, ""), referenced),
                    row.getString("PKCOLUMN_NAME"),
                    action(row.getShort("DELETE_RULE")),
                    action(row.getShort("UPDATE_RULE"))));
          });
      return parts;
    }

    private static Action action(int code) {
      return switch (code) {
        case DatabaseMetaData.importedKeyCascade -> Action.CASCADE;
        case DatabaseMetaData.importedKeyRestrict -> Action.RESTRICT;
        case DatabaseMetaData.importedKeySetNull -> Action.SET_NULL;
        case DatabaseMetaData.importedKeySetDefault -> Action.SET_DEFAULT;
        default -> Action.NO_ACTION;
      };
    }

    private List<LeftOut> views() throws SQLException {
      List<LeftOut> found = new ArrayList<>();
      each(
          meta.getTables(catalog, schema, null, new String[] {"VIEW"}),
          "",
          row -> {
            String name = row.getString("TABLE_NAME");
            String within = Objects.requireNonNullElse(schema, catalog == null ? "" : catalog);
            found.add(LeftOut.of("view", within.isEmpty() ? name : within + "." + name));
          });
      return found;
    }
  }
}
