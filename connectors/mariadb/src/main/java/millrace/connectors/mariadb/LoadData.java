package millrace.connectors.mariadb;

import java.util.Map;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.sink.LaneLoad;
import millrace.connectors.sql.sink.LoadMethod;
import millrace.connectors.sql.sink.RowSink;
import millrace.connectors.sql.sink.SqlInserts;
import millrace.spi.LaneLimit;
import millrace.spi.read.SourceDescription.Size;
import org.jspecify.annotations.Nullable;

/// Rows are sent by `LOAD DATA LOCAL INFILE`, if the server allows it.
record LoadData() implements LoadMethod {

  @Override
  public LoadMethod chosen(
      SqlSession session, @Nullable TableInfo filled, Map<String, String> columns, Size size) {
    if (filled != null && filled.columns().stream().anyMatch(LoadData::isRequiredGeometry)) {
      String version = session.query("SELECT version()", row -> row.getString(1)).getFirst();
      if (!version.contains("MariaDB")) {
        return inserts()
            .because(
                "MySQL's LOAD DATA takes no geometry into a column that is NOT NULL, so rows were"
                    + " inserted, which takes longer.");
      }
    }
    return session.query("SELECT @@GLOBAL.local_infile", row -> row.getBoolean(1)).getFirst()
        ? this
        : inserts()
            .because(
                "The server does not allow LOAD DATA LOCAL INFILE (local_infile is off), so rows"
                    + " were inserted, which takes longer.");
  }

  private static boolean isRequiredGeometry(TableInfo.ColumnInfo column) {
    return !column.nullable()
        && column.declared().matches("(?is)(geom|(multi)?(point|linestring|polygon)).*");
  }

  @Override
  public SqlInserts inserts() {
    return new SqlInserts(LaneLimit.NONE, "", PacketParameters::of);
  }

  @Override
  public RowSink sink(LaneLoad lane) {
    return new LoadDataSink(lane);
  }
}
