package millrace.cli.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import millrace.copy.CopyListener;
import millrace.copy.CopyResult;
import millrace.engine.Run;
import millrace.fault.Fault;
import millrace.plan.FaultMessage;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.report.Report;
import millrace.report.ReportText;
import millrace.resume.ResumeChoice;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.text.Amount;

/// Whether rows arrive in every mode, come back as they were, and all of them after a copy that was
/// cut off. One thread.
final class CheckedLoads {

  private static final String UNLOAD = "unload";

  /// So many commits has a copy that is to be stopped in the middle.
  private static final int PARTS = 20;

  private static final String NOTHING_LEFT =
      "the copy was done before it could be stopped: give more --rows";

  private final CheckedServer server;
  private final Findings findings;
  private final long rows;

  CheckedLoads(CheckedServer server, Findings findings, long rows) {
    this.server = server;
    this.findings = findings;
    this.rows = rows;
  }

  private Report load(Endpoint from, Endpoint to, Mode mode, boolean atomic) {
    return server.copy(
        new Job(
            from,
            to,
            Selection.ALL,
            new WriteOptions(mode, atomic, List.of(), false),
            Job.Tuning.AUTOMATIC,
            Job.RejectPolicy.NONE));
  }

  /// Fills a new table in one way of writing, and compares it with what it was filled with.
  void way(WayOfWriting way) {
    way.check(
        findings,
        "a new table",
        () -> {
          Endpoint made = CheckedServer.made(UNLOAD, rows);
          Endpoint table = server.scratch("way");
          Report report =
              load(made, CheckedServer.with(table, way.parameters()), Mode.CREATE, false);
          server.same(made, table);
          server.drop(table);
          return speed(report);
        });
  }

  private static String speed(Report report) {
    Report.Totals totals = report.totals();
    return String.format(
        Locale.ROOT, "%,d rows in %s", totals.rows(), ReportText.duration(totals.elapsedNanos()));
  }

  /// Every mode in turn, on one table.
  void modes() {
    Endpoint made = CheckedServer.made(UNLOAD, rows);
    Endpoint table = server.scratch("modes");
    mode("create", made, table, Mode.CREATE, false, rows);
    mode("append", made, table, Mode.APPEND, false, 2 * rows);
    mode("append, atomic", made, table, Mode.APPEND, true, 3 * rows);
    mode("truncate", made, table, Mode.TRUNCATE, false, rows);
    mode("truncate, atomic", made, table, Mode.TRUNCATE, true, rows);
    mode("replace", made, table, Mode.REPLACE, false, rows);
    Endpoint readings = CheckedServer.made("meters", rows);
    Endpoint keyed = server.scratch("merge");
    mode("create with a key", readings, keyed, Mode.CREATE, false, rows);
    mode("merge", readings, keyed, Mode.MERGE, false, rows);
  }

  private void mode(
      String name, Endpoint from, Endpoint to, Mode mode, boolean atomic, long expected) {
    findings.check(
        "mode " + name,
        () -> {
          Report report = load(from, to, mode, atomic);
          count(to, expected);
          return speed(report);
        });
  }

  private void count(Endpoint table, long expected) {
    String count = server.value("SELECT COUNT(*) AS n FROM " + CheckedServer.table(table));
    if (!count.equals(String.valueOf(expected))) {
      throw new Findings.WrongResultException(
          "the table has " + count + " rows instead of " + expected);
    }
  }

  /// Unloads on several lanes into a file, which is compared with what the table was filled with.
  ///
  /// @param folder for the file
  void unload(Path folder) {
    findings.check(
        "unload to CSV",
        () -> {
          Endpoint made = CheckedServer.made(UNLOAD, rows);
          Endpoint table = server.scratch("unload");
          load(made, table, Mode.CREATE, false);
          Endpoint file =
              new Endpoint("file", folder.resolve("unload.csv").toString(), Map.of(), Secret.NONE);
          Report report = load(table, file, Mode.CREATE, false);
          server.same(table, file);
          server.drop(table);
          return speed(report) + ", " + report.concurrency().lanes() + " lanes";
        });
  }

  /// Stops a copy of many files in the middle, and goes on with it.
  ///
  /// @param folder for the files, each of which is committed by itself, as the unit says
  void resume(Path folder) {
    findings.check(
        "resume",
        () -> {
          Endpoint made = parts(folder);
          Endpoint table = server.declared("resume", " (token VARCHAR2(20))");
          Job job =
              new Job(
                  made,
                  table,
                  Selection.ALL,
                  new WriteOptions(Mode.APPEND, false, List.of(), false),
                  new Job.Tuning(1, false, null, null, new Amount(1, false)),
                  Job.RejectPolicy.NONE);
          StopsInTheMiddle stops = new StopsInTheMiddle(rows / 4);
          CopyResult cut = server.resumable(job, ResumeChoice.NONE, stops);
          if (cut.fault() == null) {
            throw new Findings.NotPossibleException(NOTHING_LEFT);
          }
          if (!stops.hasStopped || !cut.outcome().left().resumable()) {
            throw new Findings.WrongResultException(
                "the copy can't be resumed: " + FaultMessage.of(cut.fault()));
          }
          String before = server.value("SELECT COUNT(*) AS n FROM " + CheckedServer.table(table));
          if (Long.parseLong(before) == rows) {
            throw new Findings.NotPossibleException(NOTHING_LEFT);
          }
          Fault fault = server.resumable(job, ResumeChoice.RESUME, new CopyListener() {}).fault();
          if (fault != null) {
            throw fault;
          }
          count(table, rows);
          server.same(made, table);
          server.forgetCopies(table);
          return "went on behind " + before + " of " + rows + " rows";
        });
  }

  /// The rows in as many files.
  private Endpoint parts(Path folder) {
    try {
      for (int part = 0; part < PARTS; part++) {
        List<String> lines = new ArrayList<>(List.of("token"));
        for (long row = part * rows / PARTS; row < (part + 1) * rows / PARTS; row++) {
          lines.add("token" + row);
        }
        Files.write(folder.resolve("part-%02d.csv".formatted(part)), lines);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Endpoint("file", folder.resolve("part-*.csv").toString(), Map.of(), Secret.NONE);
  }

  /// Stops a copy as soon as so many rows have been committed.
  private static final class StopsInTheMiddle implements CopyListener {

    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final long after;
    private volatile Consumer<String> stop = _ -> {};
    private volatile boolean hasStopped;

    StopsInTheMiddle(long after) {
      this.after = after;
    }

    @Override
    public void stoppedBy(Consumer<String> cancel) {
      stop = cancel;
    }

    @Override
    public Moving moves(Plan plan, Run run) {
      Thread looks = Thread.ofPlatform().daemon().start(() -> look(run));
      return looks::interrupt;
    }

    private void look(Run run) {
      while (!Thread.currentThread().isInterrupted()) {
        if (run.meter().rowsDurable() >= after) {
          hasStopped = true;
          stop.accept("Stopped on purpose.");
          return;
        }
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }
}
