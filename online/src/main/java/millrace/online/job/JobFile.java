package millrace.online.job;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.text.Section;
import millrace.text.YamlNode;
import org.jspecify.annotations.Nullable;

/// Job files of online runs: YAML. What can't be done is refused with its line, before anything is
/// opened.
public final class JobFile {

  private static final String PLACES = "{source}, {target}, {start} and {end}";

  private final String name;

  private JobFile(String name) {
    this.name = name;
  }

  /// Reads a file.
  ///
  /// @throws Fault.User if it is no job
  public static OnlineJob read(Path file) {
    try {
      return parse(file.toString(), Files.readString(file));
    } catch (IOException e) {
      throw new Fault.User(
          "Can't read " + file + ": " + FileTrouble.reason(e),
          "millrace online --example > job.yaml writes one to begin with.",
          e);
    }
  }

  /// Reads a job.
  ///
  /// @param name of the file, for messages
  /// @throws Fault.User if it is none
  public static OnlineJob parse(String name, String text) {
    return new JobFile(name)
        .job(YamlNode.parse(name, text, "millrace online --example shows a job."));
  }

  /// Report E's job, for a small database in a file.
  public static String example() {
    try (InputStream in = JobFile.class.getResourceAsStream("example.yaml")) {
      if (in == null) {
        throw new Fault.Bug("example.yaml is missing", null);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new Fault.Bug("example.yaml can't be read", e);
    }
  }

  private OnlineJob job(YamlNode root) {
    Section all =
        new Section(
            name,
            "",
            root,
            List.of("target", "load", "windows", "late", "tables", "pass", "engine"));
    String target = all.text("target", "");
    if (target.isEmpty()) {
      throw all.bad("target", "is missing.", "Write for example target: duckdb:meters.duckdb");
    }
    Section loadKeys =
        section(
            "load", all.child("load"), "rows", "clients", "duration", "clock", "prefill", "sorted");
    OnlineJob.Load load = load(loadKeys);
    List<OnlineJob.WindowSpec> windows = windows(all);
    checkClock(loadKeys, windows.getFirst(), load.clock());
    return new OnlineJob(
        target,
        load,
        windows,
        late(section("late", all.child("late"), "share", "delay", "allowed", "every")),
        tables(
            section(
                "tables", all.child("tables"), "raw", "key", "partition", "ahead", "hash_buckets")),
        pass(
            section("pass", all.child("pass"), "write_start", "aggregate", "bad_share", "bad_run")),
        engine(all.child("engine")));
  }

  private Section section(String path, @Nullable YamlNode node, String... keys) {
    YamlNode there = node == null ? YamlNode.none(1) : node;
    return new Section(name, path, there, List.of(keys));
  }

  private static OnlineJob.Load load(Section keys) {
    long rows = keys.number("rows", 10_000, 1, 100_000_000);
    long clients = keys.number("clients", 20, 1, 1_000);
    if (clients > rows) {
      throw keys.bad(
          "clients", "are more than rows a second.", "Each client writes a row or more.");
    }
    LocalDateTime clock = keys.moment("clock", "2019-04-01 23:55:00");
    if (!clock.truncatedTo(ChronoUnit.SECONDS).equals(clock)) {
      throw keys.bad("clock", "does not start at a whole second.", "");
    }
    return new OnlineJob.Load(
        rows,
        (int) clients,
        positive(keys, "duration", "10m"),
        clock,
        keys.flag("prefill", true),
        keys.flag("sorted", true),
        keys.place("rows"));
  }

  private static Duration positive(Section keys, String key, String otherwise) {
    Duration time = keys.time(key, otherwise);
    if (time.isZero()) {
      throw keys.bad(key, "is no time at all.", "Write for example " + otherwise + ".");
    }
    return time;
  }

  private List<OnlineJob.WindowSpec> windows(Section all) {
    YamlNode list = all.child("windows");
    if (list == null) {
      Duration minute = Duration.ofMinutes(1);
      return List.of(
          new OnlineJob.WindowSpec("minute", minute, minute),
          new OnlineJob.WindowSpec("hour", Duration.ofHours(1), minute.multipliedBy(2)),
          new OnlineJob.WindowSpec("day", Duration.ofDays(1), minute.multipliedBy(3)));
    }
    List<OnlineJob.WindowSpec> windows = new ArrayList<>();
    Duration below = Duration.ofSeconds(1);
    for (YamlNode item : list.items()) {
      Section keys = section("windows", item, "name", "length", "delay");
      OnlineJob.WindowSpec window = window(keys, below);
      boolean taken = windows.stream().anyMatch(each -> each.name().equals(window.name()));
      if (taken) {
        throw keys.bad("name", window.name() + " is there twice.", "");
      }
      windows.add(window);
      below = window.length();
    }
    if (windows.isEmpty()) {
      throw all.bad("windows", "are none.", "Leave the key out for minute, hour and day.");
    }
    return windows;
  }

  private static OnlineJob.WindowSpec window(Section keys, Duration below) {
    String window = keys.text("name", "");
    if (!window.matches("[a-z][a-z0-9_]{0,20}")) {
      throw keys.bad(
          "name", "'" + window + "' is no name.", "Write small letters, such as minute.");
    }
    Duration length = positive(keys, "length", "1m");
    boolean divides = length.compareTo(below) > 0 && length.toSeconds() % below.toSeconds() == 0;
    if (!divides) {
      throw keys.bad(
          "length",
          length.toSeconds() + " s is no multiple of the level below, " + below.toSeconds() + " s.",
          "Windows are added up from those of the level below, which must fit.");
    }
    return new OnlineJob.WindowSpec(window, length, keys.time("delay", "1m"));
  }

  private static void checkClock(Section load, OnlineJob.WindowSpec first, LocalDateTime clock) {
    if (clock.toEpochSecond(ZoneOffset.UTC) % first.length().toSeconds() != 0) {
      throw load.bad(
          "clock",
          "does not start with a window of " + first.name() + ".",
          "Let it start where one begins, such as 23:55:00.");
    }
  }

  private static OnlineJob.Late late(Section keys) {
    return new OnlineJob.Late(
        keys.share("share", 0),
        positive(keys, "delay", "30s"),
        positive(keys, "allowed", "10m"),
        positive(keys, "every", "30s"));
  }

  private static OnlineJob.Tables tables(Section keys) {
    String raw = keys.text("raw", "load_per_sec");
    if (!OnlineJob.Tables.isName(raw)) {
      throw keys.bad("raw", "'" + raw + "' is no name of a table.", "Write letters, digits and _.");
    }
    String key = keys.text("key", "device-first");
    if (!key.equals("device-first") && !key.equals("time-first")) {
      throw keys.bad("key", "'" + key + "' is neither device-first nor time-first.", "");
    }
    Duration partition = keys.time("partition", "0");
    Duration ahead = positive(keys, "ahead", "5m");
    return new OnlineJob.Tables(
        raw,
        key.equals("time-first"),
        partition,
        ahead,
        (int) keys.number("hash_buckets", 0, 0, 256));
  }

  private static OnlineJob.Pass pass(Section keys) {
    return new OnlineJob.Pass(
        positive(keys, "write_start", "1s"),
        positive(keys, "aggregate", "1m"),
        keys.share("bad_share", 0.005),
        keys.time("bad_run", "5s"));
  }

  private OnlineJob.@Nullable Engine engine(@Nullable YamlNode node) {
    if (node == null) {
      return null;
    }
    Section keys = section("engine", node, "jdbc", "driver", "statement");
    String statement = keys.text("statement", "");
    boolean namesAll =
        statement.contains("{source}")
            && statement.contains("{target}")
            && statement.contains("{start}")
            && statement.contains("{end}");
    if (!namesAll) {
      throw keys.bad("statement", "does not name all of " + PLACES + ".", "");
    }
    String jdbc = keys.text("jdbc", "");
    if (!jdbc.startsWith("jdbc:")) {
      throw keys.bad("jdbc", "is no URL of JDBC.", "Write for example jdbc:impala://host:21050");
    }
    return new OnlineJob.Engine(jdbc, keys.text("driver", ""), statement);
  }
}
