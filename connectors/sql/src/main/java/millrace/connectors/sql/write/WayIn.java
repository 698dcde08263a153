package millrace.connectors.sql.write;

import java.util.function.Supplier;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.spi.LaneLimit;
import millrace.spi.write.Landing;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteSession;
import org.jspecify.annotations.Nullable;

/// How a load gets into a database: by statements of SQL ({@link SqlWay}), or in a way of the
/// database's own.
///
/// On the target's thread, like all that it opens but the writers.
public interface WayIn {

  /// How many lanes can write to a table at once.
  ///
  /// @param there the table; null if there is none yet
  LaneLimit lanes(@Nullable TableInfo there);

  /// Where rows may land. What makes tables commits in some systems: the table is then made beside
  /// its place.
  default Landing.Offer offer(Dialect dialect) {
    if (dialect.locks() != null) {
      return Landing.Offer.into(Landing.Commits.PARTS)
          .staging(
              Landing.Commits.PARTS, Landing.Place.SWAP, Landing.Place.INSERT, Landing.Place.MERGE)
          .choosingSteps();
    }
    Landing.Offer oneTransaction = Landing.Offer.into(Landing.Commits.WHOLE).choosingSteps();
    return dialect.capabilities().transactionalDdl()
            || dialect.statements().tables().rename().isEmpty()
        ? oneTransaction.staging(Landing.Commits.WHOLE, Landing.Place.MERGE)
        : oneTransaction.staging(Landing.Commits.WHOLE, Landing.Place.SWAP, Landing.Place.MERGE);
  }

  /// What the engine is told of a load. Changes nothing.
  ///
  /// @param session gives the target's connection
  /// @param usual what is mostly told
  /// @throws millrace.fault.Fault.User why it can't be done
  default WritePlan writePlan(SqlLoad load, Supplier<SqlSession> session, WritePlan usual) {
    return usual;
  }

  /// Makes ready what lanes write to.
  ///
  /// @throws millrace.spi.write.OpenFailed what stays if that fails
  WriteSession open(SqlLoad load, LoadStart start);
}
