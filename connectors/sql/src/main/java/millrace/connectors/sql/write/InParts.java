package millrace.connectors.sql.write;

import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.sink.LoadMethod;
import millrace.spi.LaneLimit;
import millrace.spi.write.Landing;
import millrace.spi.write.OpenFailed;
import millrace.spi.write.WriteSession;
import org.jspecify.annotations.Nullable;

/// Several sessions send rows to a server, and commit in parts. A receipt goes with each.
///
/// @param method how they are sent
public record InParts(LoadMethod method) implements WayIn {

  @Override
  public LaneLimit lanes(@Nullable TableInfo there) {
    return method.lanes(there);
  }

  @Override
  public Landing.Offer offer(Dialect dialect) {
    return Landing.Offer.into(Landing.Commits.PARTS)
        .staging(
            Landing.Commits.PARTS, Landing.Place.SWAP, Landing.Place.INSERT, Landing.Place.MERGE)
        .choosingSteps();
  }

  @Override
  public WriteSession open(SqlLoad load, LoadStart start) {
    PartsSession parts = new PartsSession(load, method, start);
    return OpenFailed.undoing(parts, start.write().goesOn() != null, parts::begin);
  }
}
