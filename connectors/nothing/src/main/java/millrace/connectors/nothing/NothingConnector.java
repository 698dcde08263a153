package millrace.connectors.nothing;

import java.util.List;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.Scratch;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;

/// `null:`, which takes every row and keeps none, so that what a copy into it costs is what its
/// source costs. It can't be read.
public final class NothingConnector implements Connector, Scratch {

  @Override
  public String name() {
    return "null";
  }

  @Override
  public List<String> schemes() {
    return List.of("null");
  }

  @Override
  public List<Option> options() {
    return List.of();
  }

  @Override
  public Endpoint scratch(Endpoint endpoint, String name) {
    return endpoint;
  }

  @Override
  public void discard(Endpoint scratch) {
    // Nothing is ever there.
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    throw new Fault.User(
        "null: keeps nothing, so there is nothing to read.",
        "Use it as the target; for rows from nowhere read generate:unload.");
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    return new NothingTarget(endpoint.label());
  }
}
