package millrace.testkit;

import millrace.data.Form;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.testkit.forwarding.ForwardingDescribedSource;
import millrace.testkit.forwarding.ForwardingSource;
import org.jspecify.annotations.Nullable;

/// A source that is cut into splits of a test's choice, and does not say that it is too small for
/// several lanes.
final class SplitSource extends ForwardingSource {

  /// Makes a form dearer than any that is not chosen.
  private static final double DEAR = 1e6;

  private final long splitBytes;
  private final @Nullable String form;

  /// @param splitBytes about how many bytes a split has
  /// @param form the name of the form in which rows cross; null if the planner chooses
  SplitSource(Source inner, long splitBytes, @Nullable String form) {
    super(inner);
    this.splitBytes = splitBytes;
    this.form = form;
  }

  @Override
  protected DescribedSource described(DescribedSource source) {
    return new ForwardingDescribedSource(source) {
      @Override
      public SourceDescription description() {
        SourceDescription all = super.description();
        return all.withSize(all.size().rows(), -1, all.size().cuts());
      }

      @Override
      public double cost(Form one) {
        double cost = super.cost(one);
        boolean chosen = form == null || form.equals(one.name());
        return cost < 0 || chosen ? cost : cost + DEAR;
      }

      @Override
      public ReadSession open(ReadPlan plan) {
        return super.open(
            new ReadPlan(
                plan.selection(),
                plan.columnRequest(),
                plan.form(),
                plan.fallback(),
                splitBytes,
                plan.lanes(),
                plan.checksums(),
                plan.taken()));
      }
    };
  }
}
