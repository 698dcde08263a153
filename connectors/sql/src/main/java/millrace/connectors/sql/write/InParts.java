package millrace.connectors.sql.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.sink.LoadMethod;
import millrace.spi.LaneLimit;
import millrace.spi.load.LoadWalk;
import millrace.spi.write.Landing;
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
    return open(
        MethodChoice.of(load, method, start.own().get(), start.write().size()), start, null);
  }

  /// The same, once it is settled how rows are sent.
  ///
  /// @param details what else the journal is to know of the run, see {@link
  ///   millrace.spi.journal.Entry.Begun#details}
  public static WriteSession open(
      MethodChoice sending, LoadStart start, @Nullable JsonNode details) {
    SqlLedger ledger = Objects.requireNonNull(start.ledger(), "only servers are loaded in parts");
    PartsPlace place = new PartsPlace(sending, start, ledger, details);
    return LoadWalk.open(place, place, ledger, sending.plan().landing(), start.write());
  }
}
