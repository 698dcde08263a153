package millrace.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.fault.Fault;
import millrace.report.Compared;
import millrace.report.Figure;
import millrace.report.Report;
import millrace.report.ReportJson;
import millrace.report.sweep.Sweep;
import millrace.report.sweep.SweepJson;
import millrace.report.sweep.SweepText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `millrace compare RUN RUN` and `millrace compare SWEEP`.
@Command(
    name = "compare",
    description = {
      "Shows two runs side by side, or a sweep.",
      "Of two runs: every figure, stage and counter, and how many times the second has the first.",
      "Of a sweep: its points, its knee, and what a call and what a row costs."
    },
    footer = {
      "%nExamples:",
      "  millrace compare 20260314-0926 last              two runs, `millrace runs` lists them",
      "  millrace compare last                            the newest sweep",
      "  millrace compare last/write-unit=1 last/write-unit=100",
      "                                                   two points of a sweep"
    })
public final class CompareCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      paramLabel = "A",
      description =
          "A run's name, the beginning of it, or `last`; by itself a sweep's. SWEEP/OPTION=VALUE is"
              + " the middle copy of a point of a sweep.")
  private String a;

  @Parameters(index = "1", arity = "0..1", paramLabel = "B", description = "The other run.")
  private @Nullable String b;

  @Option(names = "--json", description = "Print as one line of JSON.")
  private boolean json;

  private final Context context;

  public CompareCommand(Context context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    PrintStream out = context.console().out();
    if (b == null) {
      Sweep sweep = sweep(a);
      if (json) {
        out.println(SweepJson.of(sweep));
      } else {
        SweepText.lines(sweep).forEach(out::println);
      }
      return ExitCode.OK.number();
    }
    Compared compared = new Compared(report(a), report(b));
    if (json) {
      out.println(json(compared));
    } else {
      compared.lines().forEach(out::println);
    }
    return ExitCode.OK.number();
  }

  private Sweep sweep(String id) {
    Sweep sweep = context.sweeps().find(id);
    if (sweep == null) {
      throw new Fault.User(
          "There is no sweep " + id + ".",
          "Name two runs, or a sweep: `millrace runs` lists runs.");
    }
    return sweep;
  }

  private Report report(String name) {
    int slash = name.indexOf('/');
    return slash < 0
        ? context.runs().find(name)
        : sweep(name.substring(0, slash)).middleCopy(name.substring(slash + 1));
  }

  private static ObjectNode json(Compared compared) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.set("a", ReportJson.MAPPER.valueToTree(compared.a()));
    line.set("b", ReportJson.MAPPER.valueToTree(compared.b()));
    ArrayNode figures = line.putArray("figures");
    for (Compared.Pair pair : compared.pairs()) {
      ObjectNode figure = figures.addObject();
      figure.put("section", pair.section());
      figure.put("name", pair.name());
      figure.set("a", value(pair.a()));
      figure.set("b", value(pair.b()));
      figure.put("ratio", pair.ratio());
    }
    return line;
  }

  /// Counts are whole numbers, as in the reports themselves.
  private static JsonNode value(@Nullable Figure figure) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    if (figure == null) {
      return nodes.nullNode();
    }
    long rounded = Math.round(figure.value());
    return rounded == figure.value() ? nodes.numberNode(rounded) : nodes.numberNode(figure.value());
  }
}
