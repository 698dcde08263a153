package millrace.connectors.sql.write;

import java.util.function.Supplier;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.spi.LaneLimit;
import millrace.spi.load.LoadWalk;
import millrace.spi.write.Landing;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteSession;
import org.jspecify.annotations.Nullable;

/// Rows are inserted in one transaction, by one connection.
record InOneTransaction() implements WayIn {

  private static final LaneLimit ONE =
      new LaneLimit(1, "all rows are written in one transaction, by one connection");

  @Override
  public LaneLimit lanes(@Nullable TableInfo there) {
    return ONE;
  }

  @Override
  public WritePlan told(SqlLoad load, Supplier<SqlSession> session, WritePlan usual) {
    return load.dialect().statements().savepoints().exist()
        ? usual
        : usual.detailing(
            "This database can't undo single rows: one that it refuses ends the copy.");
  }

  @Override
  public WriteSession open(SqlLoad load, LoadStart start) {
    WholePlace place = new WholePlace(load, start);
    Landing landing = load.isBeside() ? load.landing().swapping() : load.landing();
    return LoadWalk.open(place, place, start.journal(), landing, start.write());
  }
}
