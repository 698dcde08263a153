package millrace.report.host;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.Map;

/// What the processors are, how fast they run, and to which NUMA node each belongs.
///
/// One thread uses it.
final class Processors {

  /// Asking for clocks interrupts every processor of a machine, so that it is asked rarely.
  private static final int CLOCK_EVERY_SAMPLES = 10;

  private final Proc proc;
  private final String model;
  private final DoubleSummaryStatistics clockMhz = new DoubleSummaryStatistics();
  private int samples;

  Processors(Proc proc) throws IOException {
    this.proc = proc;
    model = value("model name");
  }

  private String value(String name) throws IOException {
    return proc.lines("cpuinfo").stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("");
  }

  /// Their name, as the maker spells it; empty if the kernel does not say (as on ARM).
  String model() {
    return model;
  }

  /// Looks at the clocks now and then; called about twice a second.
  void sample() throws IOException {
    if (samples++ % CLOCK_EVERY_SAMPLES == 0) {
      for (String line : proc.lines("cpuinfo")) {
        if (line.startsWith("cpu MHz")) {
          clockMhz.accept(Double.parseDouble(line.substring(line.indexOf(':') + 1)));
        }
      }
    }
  }

  /// The clocks seen, in MHz.
  DoubleSummaryStatistics clockMhz() {
    return clockMhz;
  }

  /// The NUMA node of each processor; empty if the kernel knows of none.
  ///
  /// @param sys `/sys`, or a recorded copy of it
  static Map<Integer, Integer> nodes(Path sys) throws IOException {
    Map<Integer, Integer> nodes = new HashMap<>();
    Path folder = sys.resolve("devices/system/node");
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "node[0-9]*")) {
        for (Path node : entries) {
          int number = Integer.parseInt(String.valueOf(node.getFileName()).substring(4));
          addRanges(Files.readString(node.resolve("cpulist")).strip(), number, nodes);
        }
      }
    }
    return nodes;
  }

  /// A list such as `0-7,16-23`.
  private static void addRanges(String list, int node, Map<Integer, Integer> nodes) {
    for (String range : list.isEmpty() ? new String[0] : list.split(",", -1)) {
      String[] ends = range.split("-", -1);
      int to = Integer.parseInt(ends[ends.length - 1]);
      for (int i = Integer.parseInt(ends[0]); i <= to; i++) {
        nodes.put(i, node);
      }
    }
  }
}
