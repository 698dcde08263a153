package millrace.engine.remote;

import java.io.Serializable;
import millrace.engine.retry.RetryPolicy;
import millrace.plan.Plan;
import millrace.spi.Endpoint;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.ReadPlan;
import millrace.spi.write.WriteRequest;

/// All that another process needs to work off splits of a run.
///
/// @param plan how each row crosses
/// @param request what the target was planned for, of no earlier run
/// @param from the source as they open it: in the state that all of them read
/// @param to the target as they open it
/// @param readPlan how it is read
/// @param run the run that they join
/// @param retryPolicy how long one of them goes on if nothing moves
public record RemoteRun(
    Plan plan,
    WriteRequest request,
    Endpoint from,
    Endpoint to,
    ReadPlan readPlan,
    RunRecord run,
    RetryPolicy retryPolicy)
    implements Serializable {}
