package millrace.online;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import millrace.online.job.JobFile;
import millrace.online.job.OnlineJob;

/// Short jobs with windows of 2, 4 and 8 seconds, whose clock starts with one of each, before 1970:
/// what counts from there meets negative times and those from 0 on.
public final class Jobs {

  /// The data's clock at the start, in microseconds since 1970.
  public static final long START =
      LocalDateTime.parse("1969-12-31T23:59:52").toEpochSecond(ZoneOffset.UTC) * 1_000_000;

  private Jobs() {}

  /// A job whose windows all close within 12 seconds.
  ///
  /// @param load lines below `load:`, such as `rows: 100`
  /// @param late lines below `late:`
  public static OnlineJob of(String load, String late) {
    return JobFile.parse("job.yaml", text("null:", load, late));
  }

  /// The same as text.
  public static String text(String target, String load, String late) {
    return """
    target: "%s"
    load:
      clock: 1969-12-31 23:59:52
    %s
    windows:
      - {name: small, length: 2s, delay: 1s}
      - {name: middle, length: 4s, delay: 1s}
      - {name: large, length: 8s, delay: 1s}
    late:
    %s
    pass:
      write_start: 60s
      aggregate: 10m
      bad_share: 100 %%
      bad_run: 1h
    """
        .formatted(target, indented(load), indented(late));
  }

  private static String indented(String lines) {
    return lines.indent(2).stripTrailing();
  }
}
