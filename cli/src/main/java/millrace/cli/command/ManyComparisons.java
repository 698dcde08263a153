package millrace.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.Faults;
import millrace.cli.option.OutputOptions;
import millrace.cli.show.DifferencesText;
import millrace.fault.Fault;
import millrace.job.TableTargets;
import millrace.report.ReportJson;
import millrace.report.TextTable;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableEntry;
import millrace.verify.Differences;
import org.jspecify.annotations.Nullable;

/// Compares many tables with their other ends, one after the other, and ends in one table.
final class ManyComparisons {

  private final Context context;
  private final OutputOptions output;
  private final BiFunction<Endpoint, Endpoint, Comparison> comparison;
  private final ToLongFunction<Endpoint> emptyRows;

  /// What became of one; one of the two is null.
  private record Compared(
      TableTargets.Pair pair, @Nullable Differences found, @Nullable Fault fault) {

    boolean isSame() {
      return found != null && found.same();
    }

    String outcome() {
      return found == null ? "failed" : found.same() ? "same" : "different";
    }
  }

  /// @param comparison compares two ends
  /// @param emptyRows tells how many rows a table without columns has
  ManyComparisons(
      Context context,
      OutputOptions output,
      BiFunction<Endpoint, Endpoint, Comparison> comparison,
      ToLongFunction<Endpoint> emptyRows) {
    this.emptyRows = emptyRows;
    this.context = context;
    this.output = output;
    this.comparison = comparison;
  }

  /// Compares them all.
  ///
  /// @param failFast whether the first that is not the same is the last
  /// @return the exit code
  int run(List<TableTargets.Pair> pairs, boolean failFast) {
    List<Compared> all = new ArrayList<>();
    for (TableTargets.Pair pair : pairs) {
      Compared compared = compare(pair);
      all.add(compared);
      if (compared.fault instanceof Fault.Cancelled || (failFast && !compared.isSame())) {
        break;
      }
    }
    print(all, pairs.size());
    return exitCode(all);
  }

  private Compared compare(TableTargets.Pair pair) {
    try {
      Differences found =
          pair.from().kind().equals(TableEntry.NO_COLUMNS)
              ? Differences.ofCounts(pair.from().rows(), emptyRows.applyAsLong(pair.to()))
              : comparison.apply(pair.from().end(), pair.to()).run();
      return new Compared(pair, found, null);
    } catch (Fault e) {
      return new Compared(pair, null, e);
    }
  }

  private void print(List<Compared> all, int requested) {
    if (!output.quiet) {
      PrintStream out = context.console().out();
      if (output.json) {
        all.forEach(each -> out.println(json(each)));
      } else {
        table(all).lines().forEach(out::println);
        long same = all.stream().filter(Compared::isSame).count();
        out.println(same + " of " + requested + " tables are the same.");
        all.forEach(each -> differences(each, out));
      }
    }
    for (Compared each : all) {
      if (each.fault != null) {
        context.console().err().println(each.pair.from().label() + ":");
        Faults.print(context, each.fault, false, null);
      }
    }
  }

  private static TextTable table(List<Compared> all) {
    TextTable table = new TextTable(List.of("table", ">rows", ">in TO", "outcome"));
    all.forEach(each ->
        table.row(
            List.of(
                each.pair.from().label(),
                each.found == null ? "" : number(each.found.fromRows()),
                each.found == null ? "" : number(each.found.toRows()),
                each.outcome())));
    return table;
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static void differences(Compared each, PrintStream out) {
    if (each.found != null && !each.found.same()) {
      out.println();
      out.println(each.pair.from().label() + ":");
      DifferencesText.lines(
              each.found, each.pair.from().end().labelWithTable(), each.pair.to().labelWithTable())
          .forEach(out::println);
    }
  }

  private static ObjectNode json(Compared each) {
    ObjectNode line =
        ReportJson.event("differences", each.found == null ? each.outcome() : each.found);
    return line.put("table", each.pair.from().label());
  }

  private static int exitCode(List<Compared> all) {
    List<Fault> faults = new ArrayList<>();
    all.forEach(each -> {
      if (each.fault != null) {
        faults.add(each.fault);
      }
    });
    if (!faults.isEmpty()) {
      boolean anyDone = faults.size() < all.size();
      boolean stopped = faults.getLast() instanceof Fault.Cancelled;
      return (anyDone && !stopped ? ExitCode.PARTLY : ExitCode.of(faults.getLast())).number();
    }
    return (all.stream().allMatch(Compared::isSame) ? ExitCode.OK : ExitCode.DIFFERENT).number();
  }
}
