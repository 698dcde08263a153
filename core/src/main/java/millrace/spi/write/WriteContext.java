package millrace.spi.write;

import millrace.spi.StageClock;
import millrace.text.Amount;
import millrace.tuning.BestUnit;
import org.jspecify.annotations.Nullable;

/// What a writer or an encoder gets from its lane.
///
/// @param lane number of the lane, from 0
/// @param clock to say which stage it is in (encode, send, server wait, commit), and what it wrote
/// @param rejects where records go that the target refuses
/// @param writeUnit how much to send at a time, or null for the connector's own default
/// @param bestUnit what lanes have found best, where nobody has said how much to send at a time
/// @param commitUnit how much to commit at a time, or null for one commit a split or larger
public record WriteContext(
    int lane,
    StageClock clock,
    Rejects rejects,
    @Nullable Amount writeUnit,
    BestUnit bestUnit,
    @Nullable Amount commitUnit) {}
