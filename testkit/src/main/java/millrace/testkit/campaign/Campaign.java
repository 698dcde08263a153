package millrace.testkit.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import millrace.testkit.PostgresServer;
import millrace.testkit.network.ConnectionFault;
import millrace.testkit.network.FaultyProxy;
import org.jspecify.annotations.Nullable;

/// Starts real copies, strikes them at random moments, goes on with each until it says that it is
/// done, and looks whether the target holds every row once.
///
/// What happens, and about when, comes from a seed; what the machine makes of it does not. One
/// thread uses it.
public final class Campaign {

  private static final int ATTEMPTS_MAX = 12;

  private static final long PATIENCE_SECONDS = 900;

  /// A silent network ends a copy by its stall timeout, soon after; but if no row moves yet or any
  /// more, whoever waits presses Ctrl-C.
  private static final long SILENCE_SECONDS = 40;

  /// So much passes before the first rows do.
  private static final long PREPARING_BYTES = 50_000;

  /// How each piece of 64 kB is slowed down, so that lanes do other things meanwhile.
  private static final ConnectionFault SLOW = new ConnectionFault.Delay(0, 2);

  private static final long LOOK_MILLIS = 20;

  private static final int WRONG_REQUEST = 2;

  /// Of so many resumed attempts on Spark one runs on this machine alone.
  private static final int HERE = 4;

  /// How a campaign goes.
  ///
  /// @param launcher `./millrace`
  /// @param folder where everything is kept, empty at first
  /// @param rows of each copy
  /// @param interruptionsMax interruptions of one copy; after them it may end in peace
  public record Settings(Path launcher, Path folder, long rows, int interruptionsMax) {}

  private final Settings settings;
  private final Consumer<String> log;
  private final PostgresServer server;
  private final CampaignEnds campaignEnds;
  private final Map<Route, Moment.Life> lives = new EnumMap<>(Route.class);

  /// Makes the rows that all copies are of.
  ///
  /// @param log is told what happens, one line each
  public Campaign(Settings settings, Consumer<String> log) {
    this.settings = settings;
    this.log = log;
    server = PostgresServer.embedded();
    campaignEnds = new CampaignEnds(settings.folder(), server, server.newDatabase());
    measureLives();
  }

  /// Copies in peace, to know what is right and how long a copy lives.
  private void measureLives() {
    try (FaultyProxy proxy = proxy()) {
      copyInPeace(proxy, "generate:unload?rows=" + settings.rows(), campaignEnds.csv().toString());
      Moment.Life load =
          copyInPeace(
              proxy,
              campaignEnds.csv().toString(),
              campaignEnds.table(proxy.port(), CampaignEnds.SOURCE_TABLE));
      Moment.Life unload =
          copyInPeace(
              proxy,
              campaignEnds.table(proxy.port(), CampaignEnds.SOURCE_TABLE),
              campaignEnds.unloaded().toString());
      lives.put(Route.CSV_TO_POSTGRES, load);
      lives.put(Route.POSTGRES_TO_CSV, unload);
      lives.put(
          Route.POSTGRES_TO_POSTGRES,
          new Moment.Life(Math.max(load.millis(), unload.millis()), load.bytes() + unload.bytes()));
      lives.put(Route.CSV_TO_DUCKDB, new Moment.Life(load.millis(), 0));
    }
  }

  /// How long a copy lives that can be resumed.
  private Moment.Life lifeOf(Route route) {
    campaignEnds.clear();
    try (FaultyProxy proxy = proxy()) {
      String from = campaignEnds.from(route, proxy.port());
      String to = campaignEnds.to(route, proxy.port());
      return copyInPeace(proxy, from, to, route.options("--resume", false).toArray(String[]::new));
    }
  }

  private Moment.Life copyInPeace(FaultyProxy proxy, String from, String to, String... more) {
    long start = System.nanoTime();
    long before = proxy.passed();
    Attempt attempt = Attempt.copy(settings, List.of(from, to), List.of(more), 0);
    int code = attempt.await(PATIENCE_SECONDS);
    if (code != 0) {
      throw new IllegalStateException("can't make the rows: " + attempt.said());
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    return new Moment.Life(millis, proxy.passed() - before);
  }

  private FaultyProxy proxy() {
    return new FaultyProxy(server.host(), server.port(), _ -> SLOW);
  }

  /// One copy, struck as the seed says.
  ///
  /// @param keepsJournal whether the journal stays where it is between two attempts; without it
  ///   rows that had been committed must come twice
  public Outcome copy(Route route, long seed, boolean keepsJournal) {
    if (route.isOnSpark()) {
      lives.computeIfAbsent(route, this::lifeOf);
    }
    campaignEnds.clear();
    // One for all attempts: a copy is known by its ends, and so by the proxy's port.
    try (FaultyProxy proxy = proxy()) {
      return new Copy(route, seed, keepsJournal, proxy, null).untilDone();
    }
  }

  /// Copies that are killed at moments spread over the end of a copy: its last commit, what its
  /// journal says of it, and what is left until the process has ended.
  ///
  /// @param kills how many copies, one kill each
  public List<Outcome> killedAtTheEnd(Route route, int kills) {
    List<Outcome> outcomes = new ArrayList<>();
    Moment.Life life = lifeOf(route);
    for (int kill = 1; kill <= kills; kill++) {
      campaignEnds.clear();
      try (FaultyProxy proxy = proxy()) {
        Moment moment = Moment.atTheEnd(life, (double) kill / kills);
        outcomes.add(new Copy(route, kill, true, proxy, moment).untilDone());
        log.accept(moment + ": " + outcomes.getLast());
      }
    }
    return outcomes;
  }

  private Moment.Life life(Route route) {
    return Objects.requireNonNull(lives.get(route));
  }

  /// A copy, from its first attempt to its last.
  private final class Copy {
    private final Route route;
    private final long seed;
    private final boolean keepsJournal;
    private final FaultyProxy proxy;
    private final @Nullable Moment onlyKill;
    private final SplittableRandom random;
    private final List<Interruption> interruptions = new ArrayList<>();
    private int midway;
    private int afresh;

    /// @param onlyKill when its first attempt is killed, and nothing else strikes it; null for what
    ///   the seed says
    Copy(
        Route route,
        long seed,
        boolean keepsJournal,
        FaultyProxy proxy,
        @Nullable Moment onlyKill) {
      this.route = route;
      this.seed = seed;
      this.keepsJournal = keepsJournal;
      this.proxy = proxy;
      this.onlyKill = onlyKill;
      random = new SplittableRandom(seed);
    }

    Outcome untilDone() {
      for (int attempts = 1; attempts <= ATTEMPTS_MAX; attempts++) {
        if (attempt(attempts) == 0) {
          String wrong = difference();
          return outcome(attempts, wrong.isEmpty() && keepsJournal ? changedByTheSame() : wrong);
        }
      }
      return outcome(ATTEMPTS_MAX, "it never ended well");
    }

    /// What the same command does to a copy that is complete: nothing, as a job that runs twice
    /// needs it.
    private String changedByTheSame() {
      proxy.recover();
      Attempt same = Attempt.copy(settings, between(), route.options("--resume", false), 0);
      int code = same.await(PATIENCE_SECONDS);
      if (code != 0) {
        return "the same command again ended with " + code + ": " + same.said();
      }
      return difference();
    }

    private List<String> between() {
      return List.of(campaignEnds.from(route, proxy.port()), campaignEnds.to(route, proxy.port()));
    }

    private Outcome outcome(int attempts, String wrong) {
      return new Outcome(route, seed, interruptions, midway, attempts, afresh, wrong);
    }

    /// One attempt; gives its exit code.
    private int attempt(int number) {
      proxy.recover();
      if (!keepsJournal) {
        campaignEnds.dropJournal();
      }
      // Drawn whether needed or not, so that the same seed gives the same interruptions.
      Interruption drawn = onlyKill == null ? Interruption.any(route, random) : Interruption.KILL;
      Moment moment = onlyKill == null ? Moment.any(life(route), random) : onlyKill;
      long fullKilobytes = 1 + random.nextLong(settings.rows() / 6);
      boolean strikes = number == 1 || (onlyKill == null && random.nextBoolean());
      strikes &= interruptions.size() < settings.interruptionsMax();
      boolean here = number > 1 && route.isOnSpark() && random.nextInt(HERE) == 0;
      Attempt attempt =
          Attempt.copy(
              settings,
              between(),
              route.options("--resume", here),
              strikes && drawn == Interruption.FULL_DISK ? fullKilobytes : 0);
      boolean struck = strikes && strike(drawn, moment, attempt);
      if (struck && drawn == Interruption.SILENCE && !attempt.endsWithin(SILENCE_SECONDS * 1000)) {
        log.accept("  nothing ended it, so it was stopped");
        attempt.stop();
      }
      int code = attempt.await(PATIENCE_SECONDS);
      if (strikes && drawn == Interruption.FULL_DISK && code != 0) {
        struck = true;
        midway++;
      }
      if (struck) {
        interruptions.add(drawn);
      }
      log.accept(
          String.format(
              Locale.ROOT,
              "  attempt %d%s: %s, exit %d %s",
              number,
              number == 1 ? "" : " (resumed)",
              struck ? drawn + " " + moment : "in peace",
              code,
              code == 0 ? "" : attempt.said()));
      return number > 1 && code == WRONG_REQUEST ? refused(attempt) : code;
    }

    /// It can't go on. A user looks whether all is there, and else empties the target and begins
    /// again if that is what helps.
    ///
    /// @return 0 if nothing is left to do
    private int refused(Attempt attempt) {
      if (difference().isEmpty()) {
        return 0;
      }
      if (attempt.said().contains("--fresh")) {
        campaignEnds.clear();
        afresh++;
      }
      return WRONG_REQUEST;
    }

    /// Strikes at that moment; false if the attempt had ended before.
    private boolean strike(Interruption interruption, Moment moment, Attempt attempt) {
      if (interruption == Interruption.FULL_DISK) {
        // The limit has stood since the attempt began.
        return false;
      }
      long before = proxy.passed();
      Runnable strike =
          () -> {
            midway += isMidway(proxy.passed() - before) ? 1 : 0;
            strikeNow(interruption, attempt);
          };
      switch (moment) {
        case Moment.After(long millis) -> {
          if (attempt.endsWithin(millis)) {
            return false;
          }
          strike.run();
          return true;
        }
        case Moment.Passed(long bytes) -> {
          return strikesAt(bytes, strike, attempt);
        }
      }
    }

    /// The proxy's thread strikes, since after a thread's change the moment would be over.
    private boolean strikesAt(long bytes, Runnable strike, Attempt attempt) {
      CountDownLatch done = new CountDownLatch(1);
      proxy.after(
          bytes,
          () -> {
            strike.run();
            done.countDown();
          });
      while (done.getCount() > 0) {
        if (attempt.endsWithin(LOOK_MILLIS) && done.getCount() > 0 && proxy.disarm()) {
          return false;
        }
      }
      return true;
    }

    private boolean isMidway(long passed) {
      return route.hasNetwork()
          ? passed > PREPARING_BYTES && passed < life(route).bytes() - Moment.LAST_BYTES
          : campaignEnds.targetIsBegun();
    }

    private void strikeNow(Interruption interruption, Attempt attempt) {
      switch (interruption) {
        case KILL -> attempt.kill();
        case EXECUTOR -> attempt.killExecutor();
        case STOP -> attempt.stop();
        case SERVER -> {
          server.crash();
          server.startAgain();
        }
        case RESET -> proxy.resetAll();
        case SILENCE -> proxy.silence();
        case FULL_DISK -> throw new IllegalArgumentException("no interruption at a moment");
      }
    }

    private String difference() {
      if (route != Route.CSV_TO_DUCKDB) {
        return campaignEnds.difference(route, settings.rows());
      }
      Attempt verify =
          Attempt.verify(
              settings, campaignEnds.csv().toString(), campaignEnds.to(route, server.port()));
      return verify.await(PATIENCE_SECONDS) == 0 ? "" : verify.said();
    }
  }

  /// Copies with that seed and those after it, by all routes of one kind in turn.
  public List<Outcome> copies(int runs, long seed, boolean keepsJournal, boolean onSpark) {
    List<Route> routes = Route.all(onSpark);
    List<Outcome> outcomes = new ArrayList<>();
    for (long each = seed; each < seed + runs; each++) {
      outcomes.add(copy(routes.get(Math.floorMod(each, routes.size())), each, keepsJournal));
      log.accept(outcomes.getLast().toString());
    }
    return outcomes;
  }

  /// Runs copies and says what came of them.
  ///
  /// `--runs N` how many (20), `--seed S` of the first (1), each has the next; `--rows N` of each
  /// (150000); `--without-journal` takes the journal away between two attempts; `--on-spark` copies
  /// on executors of the Spark that SPARK_HOME names; the launcher is `./millrace`. Ends with 1 if
  /// a row was lost or is there twice.
  public static void main(String[] arguments) throws IOException {
    List<String> words = List.of(arguments);
    int runs = (int) number(words, "--runs", 20);
    boolean onSpark = words.contains("--on-spark");
    Path folder = Files.createTempDirectory("millrace-campaign-");
    Settings settings =
        new Settings(
            Path.of("millrace").toAbsolutePath(),
            folder,
            number(words, "--rows", onSpark ? 1_000_000 : 150_000),
            2);
    long start = System.nanoTime();
    List<Outcome> outcomes =
        new Campaign(settings, System.out::println)
            .copies(
                runs, number(words, "--seed", 1), !words.contains("--without-journal"), onSpark);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    System.out.println(Outcome.summary(outcomes, seconds));
    System.out.println("The last copy's files are in " + folder);
    boolean good = outcomes.stream().allMatch(outcome -> outcome.wrong().isEmpty());
    Runtime.getRuntime().exit(good ? 0 : 1);
  }

  private static long number(List<String> words, String name, long otherwise) {
    int at = words.indexOf(name);
    return at < 0 ? otherwise : Long.parseLong(words.get(at + 1));
  }
}
