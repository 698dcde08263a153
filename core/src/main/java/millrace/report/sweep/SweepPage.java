package millrace.report.sweep;

import java.util.Map;
import millrace.report.HtmlPage;

/// A sweep as one HTML page that needs nothing but itself: charts, heat map, the table of numbers.
public final class SweepPage {

  private SweepPage() {}

  /// The page.
  public static String of(Sweep sweep) {
    return HtmlPage.of(SweepPage.class, Map.of(), SweepJson.of(sweep));
  }
}
