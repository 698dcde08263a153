package millrace.connectors.sql.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Supplier;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.sink.LoadMethod;
import millrace.spi.LaneLimit;
import millrace.spi.load.LoadWalk;
import millrace.spi.write.Landing;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteSession;
import org.jspecify.annotations.Nullable;

/// Rows are sent by one connection in one transaction, or by several sessions of a server that
/// commit in parts, with a receipt for each.
///
/// @param method how they are sent
public record SqlWay(LoadMethod method) implements WayIn {

  @Override
  public LaneLimit lanes(@Nullable TableInfo there) {
    return method.lanes(there);
  }

  @Override
  public WritePlan writePlan(SqlLoad load, Supplier<SqlSession> session, WritePlan usual) {
    return !load.landing().whole() || load.dialect().statements().savepoints().exist()
        ? usual
        : usual.detailing(
            "This database can't undo single rows: one that it refuses ends the copy.");
  }

  @Override
  public WriteSession open(SqlLoad load, LoadStart start) {
    return open(
        MethodChoice.of(load, method, start.session().get(), start.write().size()), start, null);
  }

  /// The same, once it is settled how rows are sent.
  ///
  /// @param details what else the journal is to know of the run, see {@link
  ///   millrace.spi.journal.Entry.Begun#details}
  public static WriteSession open(
      MethodChoice sending, LoadStart start, @Nullable JsonNode details) {
    SqlPlace place = new SqlPlace(sending, start, details);
    Landing settled = sending.plan().landing();
    Landing landing = sending.plan().fillsNewTable() ? settled.swapping() : settled;
    return LoadWalk.open(place, place, start.journal(), landing, start.write());
  }
}
