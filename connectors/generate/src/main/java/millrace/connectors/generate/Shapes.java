package millrace.connectors.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.Endpoint;

/// The shapes that there are.
final class Shapes {

  private static final long ROWS_DEFAULT = 1_000_000;

  private static final List<Entry> ALL =
      List.of(
          new Entry("unload", List.of("rows", "seed"), UnloadShape::of),
          new Entry("tokens", List.of("rows", "seed"), TokensShape::of),
          new Entry("postal", List.of("rows", "seed"), PostalShape::of),
          new Entry("meters", List.of("rows", "seed", "devices", "start"), MetersShape::of),
          new Entry("wide", List.of("rows", "seed", "width"), WideShape::of));

  private Shapes() {}

  /// The shape that an endpoint names, its parameters settled.
  ///
  /// @throws Fault.User if there is none of that name, or a parameter is wrong
  static Shape of(Endpoint endpoint) {
    String name = endpoint.location();
    List<Entry> entries = entries();
    for (Entry entry : entries) {
      if (entry.name().equals(name)) {
        return entry.make().apply(new ShapeParameters(endpoint));
      }
    }
    List<String> names = entries.stream().map(Entry::name).toList();
    String hint = Nearest.hint(name, names);
    throw new Fault.User(
        name.isEmpty()
            ? "generate: names no shape."
            : "There is no shape '" + name + "' to generate.",
        (hint.isEmpty() ? "" : hint + " ") + "Shapes: " + String.join(", ", names) + ".");
  }

  /// The parameters that the shape of a name takes; empty if there is no such shape.
  static List<String> parameters(String name) {
    return entries().stream()
        .filter(entry -> entry.name().equals(name))
        .findFirst()
        .map(Entry::parameters)
        .orElse(List.of());
  }

  static long rows(ShapeParameters shapeParameters) {
    return shapeParameters.number("rows", ROWS_DEFAULT, 0, 1L << 53);
  }

  static long seed(ShapeParameters shapeParameters) {
    return shapeParameters.number("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private static List<Entry> entries() {
    List<Entry> entries = new ArrayList<>(ALL);
    for (TpchTable<?> table : TpchTables.all()) {
      entries.add(
          new Entry(
              "tpch." + table.name(),
              List.of("scale"),
              shapeParameters -> TpchShape.of(table, shapeParameters)));
    }
    return entries;
  }

  /// A shape by name.
  ///
  /// @param parameters those that it takes
  /// @param make settles them
  private record Entry(
      String name, List<String> parameters, Function<ShapeParameters, Shape> make) {}
}
