package millrace.testkit.oracle.dictionary;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import millrace.testkit.oracle.OracleRelease;
import org.jspecify.annotations.Nullable;

/// The V$ views: figures of sessions and of the whole server, as they were counted.
final class PerformanceViews {

  private static final long LOG_BYTES = 50_000_000;
  private static final String CLIENT_WAIT = "SQL*Net message from client";
  private static final String DIRECT_WAIT = "direct path write";

  private PerformanceViews() {}

  static Map<String, ViewDefinition> all() {
    Map<String, ViewDefinition> views = new HashMap<>();
    put(
        views,
        "V$VERSION",
        "TBANNER,LBANNER_FULL,LBANNER_LEGACY,NCON_ID",
        PerformanceViews::version);
    put(
        views,
        "PRODUCT_COMPONENT_VERSION",
        "TPRODUCT,TVERSION,TVERSION_FULL,TSTATUS",
        PerformanceViews::product);
    put(
        views,
        "V$INSTANCE",
        "NINSTANCE_NUMBER,TINSTANCE_NAME,THOST_NAME,TVERSION,TVERSION_FULL,DSTARTUP_TIME,TSTATUS,"
            + "TDATABASE_STATUS",
        PerformanceViews::instance);
    put(
        views,
        "V$DATABASE",
        "TNAME,NDBID,TLOG_MODE,NCURRENT_SCN,TOPEN_MODE,TFORCE_LOGGING,TPLATFORM_NAME",
        PerformanceViews::database);
    put(
        views,
        "V$PARAMETER",
        "NNUM,TNAME,NTYPE,LVALUE,LDISPLAY_VALUE,TISDEFAULT",
        PerformanceViews::parameters);
    put(views, "NLS_DATABASE_PARAMETERS", "TPARAMETER,TVALUE", PerformanceViews::languages);
    put(views, "NLS_SESSION_PARAMETERS", "TPARAMETER,TVALUE", PerformanceViews::languages);
    put(views, "V$NLS_PARAMETERS", "TPARAMETER,TVALUE", PerformanceViews::languages);
    put(views, "V$STATNAME", "NSTATISTIC#,TNAME,NCLASS", _ -> statisticNames());
    put(
        views,
        "V$MYSTAT",
        "NSID,NSTATISTIC#,NVALUE,NCON_ID",
        context -> statistics(List.of(context.self())));
    put(
        views,
        "V$SESSTAT",
        "NSID,NSTATISTIC#,NVALUE,NCON_ID",
        context -> statistics(List.copyOf(context.sessions())));
    put(views, "V$SYSSTAT", "NSTATISTIC#,TNAME,NCLASS,NVALUE", PerformanceViews::systemStatistics);
    put(views, "V$THREAD", "NTHREAD#,TSTATUS,NSEQUENCE#", PerformanceViews::threads);
    put(
        views,
        "V$LATCH",
        "NLATCH#,TNAME,NGETS,NMISSES,NSLEEPS,NSPIN_GETS,NWAIT_TIME",
        PerformanceViews::latches);
    put(
        views,
        "V$SESSION",
        "NSID,NSERIAL#,NAUDSID,TUSERNAME,TSTATUS,TSCHEMANAME,TMACHINE,TPROGRAM,TMODULE,TACTION,TTYPE,"
            + "TSERVICE_NAME,TEVENT,TWAIT_CLASS,TSTATE,NBLOCKING_SESSION,NBLOCKING_INSTANCE,TTADDR",
        PerformanceViews::sessions);
    put(
        views,
        "V$SESSION_EVENT",
        "NSID,TEVENT,NTOTAL_WAITS,NTIME_WAITED,NTIME_WAITED_MICRO,TWAIT_CLASS",
        PerformanceViews::sessionEvents);
    put(
        views,
        "V$SESSION_WAIT",
        "NSID,TEVENT,TWAIT_CLASS,NWAIT_TIME,NSECONDS_IN_WAIT,TSTATE",
        PerformanceViews::sessionWaits);
    put(
        views,
        "V$SYSTEM_EVENT",
        "TEVENT,NTOTAL_WAITS,NTIME_WAITED_MICRO,TWAIT_CLASS",
        PerformanceViews::systemEvents);
    return views;
  }

  private static void put(
      Map<String, ViewDefinition> views,
      String name,
      String columns,
      Function<DictionaryContext, List<List<@Nullable Object>>> source) {
    views.put(name, new ViewDefinition(List.of(columns.split(",")), null, source));
  }

  private static List<@Nullable Object> row(@Nullable Object... values) {
    return new ArrayList<@Nullable Object>(Arrays.asList(values));
  }

  private static List<List<@Nullable Object>> version(DictionaryContext context) {
    OracleRelease release = context.release();
    String full = release.banner() + "\nVersion " + release.fullVersion();
    return List.of(row(release.banner(), full, release.banner(), 0L));
  }

  private static List<List<@Nullable Object>> product(DictionaryContext context) {
    OracleRelease release = context.release();
    String name = release.banner().replaceFirst(" Release.*", "");
    return List.of(row(name, release.version(), release.fullVersion(), "Production"));
  }

  private static List<List<@Nullable Object>> instance(DictionaryContext context) {
    OracleRelease release = context.release();
    LocalDateTime started = LocalDateTime.ofInstant(context.started(), ZoneOffset.UTC).withNano(0);
    return List.of(
        row(
            1L,
            "FREE",
            "localhost",
            release.version(),
            release.fullVersion(),
            started,
            "OPEN",
            "ACTIVE"));
  }

  private static List<List<@Nullable Object>> database(DictionaryContext context) {
    return List.of(
        row(
            "FREE",
            1_400_000_001L,
            "NOARCHIVELOG",
            context.takeScn(),
            "READ WRITE",
            context.catalog().logging().equalsIgnoreCase("FORCE LOGGING") ? "YES" : "NO",
            "Linux x86 64-bit"));
  }

  private static List<List<@Nullable Object>> parameters(DictionaryContext context) {
    Map<String, String> values =
        Map.ofEntries(
            Map.entry("cpu_count", "2"),
            Map.entry("parallel_max_servers", "20"),
            Map.entry("open_cursors", "300"),
            Map.entry("sessions", "300"),
            Map.entry("processes", "200"),
            Map.entry("db_block_size", "8192"),
            Map.entry("max_string_size", "STANDARD"),
            Map.entry("undo_retention", "900"),
            Map.entry("compatible", context.catalog().compatible()),
            Map.entry("cluster_database", "FALSE"),
            Map.entry("nls_length_semantics", "BYTE"));
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Map.Entry<String, String> entry : new TreeMap<>(values).entrySet()) {
      String value = entry.getValue();
      long type = value.matches("\\d+") ? 3 : 2;
      rows.add(row((long) rows.size(), entry.getKey(), type, value, value, "TRUE"));
    }
    return rows;
  }

  private static List<List<@Nullable Object>> languages(DictionaryContext context) {
    return List.of(
        row("NLS_CHARACTERSET", context.charset().name()),
        row("NLS_NCHAR_CHARACTERSET", "AL16UTF16"),
        row("NLS_LENGTH_SEMANTICS", "BYTE"),
        row("NLS_LANGUAGE", "AMERICAN"),
        row("NLS_TERRITORY", "AMERICA"),
        row("NLS_DATE_FORMAT", "DD-MON-RR"),
        row("NLS_TIMESTAMP_FORMAT", "DD-MON-RR HH.MI.SSXFF AM"),
        row("NLS_NUMERIC_CHARACTERS", ".,"),
        row("NLS_SORT", "BINARY"),
        row("NLS_COMP", "BINARY"),
        row("NLS_RDBMS_VERSION", context.release().fullVersion()));
  }

  private static List<List<@Nullable Object>> statisticNames() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (String name : new SessionFigures().byName().keySet()) {
      rows.add(row((long) rows.size(), name, 1L));
    }
    return rows;
  }

  private static List<List<@Nullable Object>> statistics(
      List<DictionaryContext.SessionRow> sessions) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (DictionaryContext.SessionRow session : sessions) {
      long number = 0;
      for (long value : session.figures().byName().values()) {
        rows.add(row(session.number().sid(), number++, value, 0L));
      }
    }
    return rows;
  }

  private static List<List<@Nullable Object>> systemStatistics(DictionaryContext context) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    SessionFigures all = context.system();
    Map<String, Long> figures = new LinkedHashMap<>(all.byName());
    figures.put("background checkpoints completed", logSwitches(all));
    figures.put("DBWR checkpoints", logSwitches(all));
    figures.put("DBWR undo block writes", all.modelled(0.007, 0));
    figures.forEach((name, value) -> rows.add(row((long) rows.size(), name, 1L, value)));
    return rows;
  }

  /// The log is switched, and a checkpoint made, behind so many bytes.
  private static long logSwitches(SessionFigures all) {
    return all.byName().getOrDefault("redo size", 0L) / LOG_BYTES;
  }

  private static List<List<@Nullable Object>> threads(DictionaryContext context) {
    return List.of(row(1L, "OPEN", 1 + logSwitches(context.system())));
  }

  /// Latches are got by what a call does; nobody waits for them here.
  private static List<List<@Nullable Object>> latches(DictionaryContext context) {
    SessionFigures all = context.system();
    long reads = all.rowsFetched().sum();
    return List.of(
        row(1L, "cache buffers chains", reads + all.modelled(5.1, 0.13), 0L, 0L, 0L, 0L),
        row(2L, "redo allocation", all.modelled(1, 0.02), 0L, 0L, 0L, 0L),
        row(3L, "shared pool", all.executions().sum() + all.parses().sum(), 0L, 0L, 0L, 0L),
        row(4L, "checkpoint queue latch", all.modelled(0.016, 0), 0L, 0L, 0L, 0L));
  }

  private static List<List<@Nullable Object>> sessions(DictionaryContext context) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (DictionaryContext.SessionRow session : context.sessions()) {
      long by = session.waiting().blocker();
      SessionNumber blocker = by == 0 ? null : context.number(by);
      rows.add(
          row(
              session.number().sid(),
              session.number().serial(),
              session.number().serial(),
              session.user(),
              session.active() ? "ACTIVE" : "INACTIVE",
              session.user(),
              session.machine(),
              session.program(),
              session.module(),
              session.action(),
              "USER",
              "freepdb1",
              event(session),
              waitClass(session),
              state(session),
              blocker == null ? null : blocker.sid(),
              blocker == null ? null : blocker.instance(),
              session.inTransaction() ? "%016X".formatted(session.number().serial()) : null));
    }
    return rows;
  }

  /// What it waits for, or what it waited for last if it is at work.
  private static String event(DictionaryContext.SessionRow session) {
    return waits(session) ? session.waiting().event() : CLIENT_WAIT;
  }

  private static String waitClass(DictionaryContext.SessionRow session) {
    return waits(session) ? session.waiting().waitClass() : "Idle";
  }

  private static String state(DictionaryContext.SessionRow session) {
    return session.active() && !waits(session) ? "WAITED SHORT TIME" : "WAITING";
  }

  private static boolean waits(DictionaryContext.SessionRow session) {
    return session.active() && !session.waiting().event().isEmpty();
  }

  private static List<List<@Nullable Object>> sessionEvents(DictionaryContext context) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (DictionaryContext.SessionRow session : context.sessions()) {
      SessionFigures figures = session.figures();
      long waits = figures.traffic().roundTrips().get();
      rows.add(row(session.number().sid(), CLIENT_WAIT, waits, waits / 10, waits * 1000, "Idle"));
      long writes = figures.directBytes().sum() / 8192;
      rows.add(row(session.number().sid(), DIRECT_WAIT, writes, 0L, writes * 10, "User I/O"));
    }
    return rows;
  }

  private static List<List<@Nullable Object>> sessionWaits(DictionaryContext context) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (DictionaryContext.SessionRow session : context.sessions()) {
      rows.add(
          row(session.number().sid(), event(session), waitClass(session), 0L, 0L, state(session)));
    }
    return rows;
  }

  private static List<List<@Nullable Object>> systemEvents(DictionaryContext context) {
    SessionFigures all = context.system();
    long waits = all.traffic().roundTrips().get();
    long writes = all.directBytes().sum() / 8192;
    return List.of(
        row(CLIENT_WAIT, waits, waits * 1000, "Idle"),
        row(DIRECT_WAIT, writes, writes * 10, "User I/O"));
  }
}
