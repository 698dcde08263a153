package millrace.testkit;

import java.util.List;
import java.util.stream.Stream;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;

/// The connectors of a test's copy as one, so that source and target may be of one scheme and of
/// different connectors, one of which has faults.
record BothEnds(Copying copying) implements Connector {

  @Override
  public String name() {
    return copying.target().name();
  }

  @Override
  public List<String> schemes() {
    return Stream.of(copying.source(), copying.target())
        .flatMap(end -> end.schemes().stream())
        .distinct()
        .toList();
  }

  @Override
  public List<Option> options() {
    return copying.target().options();
  }

  @Override
  public List<Option> options(Endpoint endpoint) {
    return of(endpoint).options(endpoint);
  }

  @Override
  public HostLocation place(Endpoint endpoint) {
    return of(endpoint).place(endpoint);
  }

  @Override
  public String writeOptionsKey(Endpoint endpoint) {
    return of(endpoint).writeOptionsKey(endpoint);
  }

  private Connector of(Endpoint endpoint) {
    boolean isTarget = copying.target().schemes().contains(endpoint.scheme());
    return isTarget ? copying.target() : copying.source();
  }

  /// As the copy has it, with small splits. An incremental copy reads its target too.
  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    boolean isSource = endpoint.equals(copying.job().from());
    return new SplitSource(
        (isSource ? copying.source() : copying.target()).source(endpoint, selection, context),
        copying.splitBytes(),
        copying.form());
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    return copying.target().target(endpoint, writeOptions, context);
  }
}
