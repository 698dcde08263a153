package millrace.plan;

import java.util.List;
import millrace.data.Column;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.Source;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.WriteRequest;

/// A plan, with the two ends that it was made for, ready to be carried out. The caller closes the
/// source and the target.
///
/// @param request what the target was planned for
/// @param from reads as the plan says
/// @param to writes as the plan says
/// @param lacking the columns that the target is to get before it is planned for anew and rows move
public record Planned(
    Plan plan,
    WriteRequest request,
    Source source,
    Target target,
    DescribedSource from,
    PlannedTarget to,
    List<Column> lacking) {

  public Planned {
    lacking = List.copyOf(lacking);
  }

  /// The same ends with a plan that differs in lanes and sizes.
  public Planned with(Plan other) {
    return new Planned(other, request, source, target, from, to, lacking);
  }
}
