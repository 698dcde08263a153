package millrace.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import millrace.fault.Fault;

/// One HTML page that needs nothing but itself: a template with places for the chart library, for a
/// script of ours, and for the JSON from which that script draws everything.
public final class HtmlPage {

  private static final String CHART =
      "/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.min.js";

  private HtmlPage() {}

  /// Fills the template `page.html`, and the script `page.js` into it.
  ///
  /// @param owner the class beside which both files are on the class path
  /// @param places what else to put into the template, by the text that it replaces
  public static String of(Class<?> owner, Map<String, String> places, JsonNode data) {
    String page = text(owner, "page.html");
    for (Map.Entry<String, String> place : places.entrySet()) {
      page = page.replace(place.getKey(), place.getValue());
    }
    // The data come last: what looks like one of our places in them stays as it is.
    return page.replace("/*LIBRARY*/", text(owner, CHART))
        .replace("/*SCRIPT*/", text(owner, "page.js"))
        .replace("/*DATA*/", inScript(data));
  }

  /// JSON that can't break out of a script: there `</` would end it, and `<!--` begin what is none.
  public static String inScript(JsonNode data) {
    return data.toString().replace("<", "\\u003c");
  }

  private static String text(Class<?> owner, String resource) {
    try (InputStream stream = owner.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new Fault.Bug(resource + " is not on the class path", null);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
