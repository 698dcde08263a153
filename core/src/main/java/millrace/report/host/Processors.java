package millrace.report.host;

import java.io.IOException;
import java.util.DoubleSummaryStatistics;

/// What the processors are, and how fast they run.
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
}
