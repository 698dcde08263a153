package millrace.report.sweep;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import millrace.fault.Fault;

/// A sweep as one HTML page that needs nothing but itself: charts, heat map, the table of numbers.
///
/// The page is a template of ours with three places to fill: the chart library, our script, and the
/// sweep as JSON, from which the script draws everything.
public final class SweepPage {

  private static final String CHART =
      "/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.min.js";

  private SweepPage() {}

  /// The page.
  public static String of(Sweep sweep) {
    // In a script, `</` would end it, and `<!--` begin what is none.
    String data = SweepJson.of(sweep).toString().replace("<", "\\u003c");
    return text("page.html")
        .replace("/*LIBRARY*/", text(CHART))
        .replace("/*SCRIPT*/", text("page.js"))
        .replace("/*DATA*/", data);
  }

  private static String text(String resource) {
    try (InputStream stream = SweepPage.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new Fault.Bug(resource + " is not on the class path", null);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
