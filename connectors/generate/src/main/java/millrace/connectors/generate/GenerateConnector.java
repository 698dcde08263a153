package millrace.connectors.generate;

import java.util.List;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;

/// `generate:SHAPE`, made rows: the same seed gives the same rows on every machine, whole or split
/// by split. It can't be written.
public final class GenerateConnector implements Connector {

  @Override
  public String name() {
    return "generate";
  }

  @Override
  public List<String> schemes() {
    return List.of("generate");
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("rows", "How many rows; 1000000 if not given.", "5000000"),
        new Option("seed", "Whole number that the values follow from; 1 if not given.", "42"),
        new Option("devices", "Shape meters: how many devices; 10000 if not given.", "300000"),
        new Option(
            "start",
            "Shape meters: the first second; 2019-04-01T23:55:00 if not given.",
            "2024-12-31T23:55:00"),
        new Option("width", "Shape wide: how many columns; 1000 if not given.", "300"),
        new Option("scale", "Shapes tpch.TABLE: the scale factor; 1 if not given.", "0.1"));
  }

  @Override
  public List<Option> options(Endpoint endpoint) {
    List<String> names = Shapes.parameters(endpoint.location());
    return names.isEmpty()
        ? options()
        : options().stream().filter(option -> names.contains(option.name())).toList();
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    return new GenerateSource(endpoint, Shapes.of(endpoint), selection);
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    throw new Fault.User(
        endpoint.label() + " makes rows and can't be written.",
        "Use it as the source; to drop rows write to null:.");
  }
}
