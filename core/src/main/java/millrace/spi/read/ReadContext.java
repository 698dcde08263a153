package millrace.spi.read;

import java.util.concurrent.atomic.LongAdder;
import millrace.spi.StageClock;
import millrace.spi.write.Rejects;
import millrace.text.Amount;
import millrace.tuning.BestUnit;
import org.jspecify.annotations.Nullable;

/// What a reader gets from its lane.
///
/// @param lane number of the lane, from 0
/// @param clock to say which stage it is in (read, parse, server wait)
/// @param rejects where bad records go
/// @param readUnit how much to ask the source for at a time, or null for the connector's own
///   default
/// @param bestUnit what lanes have found best, if nobody has said how much
/// @param cut counts the times that are cut to microseconds; null if such a time is a bad record
public record ReadContext(
    int lane,
    StageClock clock,
    Rejects rejects,
    @Nullable Amount readUnit,
    BestUnit bestUnit,
    @Nullable LongAdder cut) {}
