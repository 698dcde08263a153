package millrace.online.report;

import java.util.Map;
import millrace.report.HtmlPage;

/// A run as one HTML page that needs nothing but itself: the verdict, charts over time, tables.
public final class OnlinePage {

  /// The most points that a line of a chart has: more than a screen can show.
  static final int POINTS = 1500;

  private OnlinePage() {}

  /// The page of a run as it stands: a file to keep.
  public static String of(OnlineReport report) {
    return page(report, false);
  }

  /// The page of a run that goes on: it asks its server for `report.json` each second.
  static String live(OnlineReport report) {
    return page(report, true);
  }

  private static String page(OnlineReport report, boolean live) {
    return HtmlPage.of(
        OnlinePage.class,
        Map.of("/*LIVE*/", String.valueOf(live), "/*CONNECT*/", live ? "'self'" : "'none'"),
        OnlineJson.of(report, POINTS));
  }
}
