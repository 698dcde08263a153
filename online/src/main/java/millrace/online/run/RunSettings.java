package millrace.online.run;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import millrace.endpoint.Endpoints;
import millrace.online.job.OnlineJob;

/// What a run was asked for, in a report's words.
final class RunSettings {

  private RunSettings() {}

  /// One line, without passwords.
  static String title(OnlineJob job) {
    return String.format(
        Locale.ROOT,
        "%,d rows/s by %d clients into %s",
        job.load().rows(),
        job.load().clients(),
        Endpoints.redact(job.target()));
  }

  /// In the order in which they are shown.
  static Map<String, String> of(OnlineJob job) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("duration", job.load().duration().toSeconds() + " s");
    settings.put("clock", job.load().clock().toString().replace('T', ' '));
    settings.put("key", job.tables().timeFirst() ? "time first" : "device first");
    settings.put(
        "partitions",
        job.tables().partition().isZero() ? "none" : job.tables().partition().toSeconds() + " s");
    settings.put("rows sorted", job.load().sorted() ? "yes" : "no");
    settings.put("late rows", String.format(Locale.ROOT, "%.1f %%", job.late().share() * 100));
    return settings;
  }
}
