package millrace.testkit.forwarding;

import java.util.List;
import java.util.function.UnaryOperator;
import millrace.data.Schema;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// Another connector in all it does, with something between the engine and the ends that it opens.
public class ForwardingConnector implements Connector {

  private final Connector inner;
  private final UnaryOperator<Source> source;
  private final UnaryOperator<Target> target;

  /// @param source what the engine gets in place of a source that has been opened
  /// @param target what it gets in place of a target
  public ForwardingConnector(
      Connector inner, UnaryOperator<Source> source, UnaryOperator<Target> target) {
    this.inner = inner;
    this.source = source;
    this.target = target;
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return inner.capability(type);
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public List<String> schemes() {
    return inner.schemes();
  }

  @Override
  public List<String> fileEndings() {
    return inner.fileEndings();
  }

  @Override
  public List<Option> options() {
    return inner.options();
  }

  @Override
  public List<Option> options(Endpoint endpoint) {
    return inner.options(endpoint);
  }

  @Override
  public String ddl(String table, Schema schema) {
    return inner.ddl(table, schema);
  }

  @Override
  public HostLocation place(Endpoint endpoint) {
    return inner.place(endpoint);
  }

  @Override
  public String writeOptionsKey(Endpoint endpoint) {
    return inner.writeOptionsKey(endpoint);
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    return source.apply(inner.source(endpoint, selection, context));
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    return target.apply(inner.target(endpoint, writeOptions, context));
  }
}
