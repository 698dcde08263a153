package millrace.plan;

import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.Source;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Target;

/// Both ends of a copy, open and looked at: what a plan is made from. The caller closes the source
/// and the target.
///
/// @param columnRequest what the source was described for
/// @param from the source as it is now
/// @param to the target as it is now
public record DescribedEnds(
    Source source,
    Target target,
    ColumnRequest columnRequest,
    DescribedSource from,
    DescribedTarget to) {

  /// What both say of themselves.
  Plan.Ends descriptions() {
    return new Plan.Ends(columnRequest, from.description(), to.description());
  }
}
