package millrace.testkit.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import millrace.testkit.PostgresServer;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.network.Harm;

/// Starts real copies, strikes them at random moments, goes on with each until it says that it is
/// done, and looks whether the target holds every row once.
///
/// What happens, and about when, comes from a seed; what the machine makes of it does not. One
/// thread uses it.
public final class Campaign {

  private static final int ATTEMPTS_MAX = 12;

  /// Blows of one copy; after them it may end in peace.
  private static final int BLOWS_MAX = 2;

  private static final long PATIENCE_SECONDS = 300;

  /// Later than this a copy of so few rows has ended.
  private static final int MOMENT_MILLIS_MAX = 2_500;

  /// How each piece of 64 kB is slowed down, so that blows land in the middle.
  private static final Harm SLOW = new Harm.Delay(0, 2);

  /// How a campaign goes.
  ///
  /// @param launcher `./millrace`
  /// @param folder where everything is kept, empty at first
  /// @param rows of each copy
  /// @param resumes whether copies are gone on with; without it each attempt is the first command
  ///   again
  public record Settings(Path launcher, Path folder, long rows, boolean resumes) {}

  /// What came of one copy.
  ///
  /// @param seed makes the same copy with the same blows again
  /// @param blows that struck it
  /// @param attempts how often it was begun or gone on with
  /// @param wrong what is wrong with the target, or empty
  public record Outcome(Route route, long seed, List<Blow> blows, int attempts, String wrong) {

    public Outcome {
      blows = List.copyOf(blows);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%-20s seed %-6d %d attempts, struck by %s: %s",
          route.name().toLowerCase(Locale.ROOT),
          seed,
          attempts,
          blows.isEmpty() ? "nothing" : blows,
          wrong.isEmpty() ? "every row once" : "WRONG: " + wrong);
    }
  }

  private final Settings settings;
  private final Consumer<String> log;
  private final PostgresServer server;
  private final String database;
  private final Ends ends;

  /// Makes the rows that all copies are of.
  ///
  /// @param log is told what happens, one line each
  public Campaign(Settings settings, Consumer<String> log) {
    this.settings = settings;
    this.log = log;
    server = PostgresServer.embedded();
    database = server.newDatabase();
    ends = new Ends(settings.folder(), server, database);
    run(List.of("generate:unload?rows=" + settings.rows(), ends.csv().toString()));
    run(List.of(ends.csv().toString(), ends.table(server.port(), Ends.SOURCE_TABLE)));
    run(List.of(ends.table(server.port(), Ends.SOURCE_TABLE), ends.unloaded().toString()));
  }

  private void run(List<String> ends) {
    Attempt attempt = Attempt.copy(settings, ends, false, 0);
    int code = attempt.await(PATIENCE_SECONDS);
    if (code != 0) {
      throw new IllegalStateException("can't make the rows: " + attempt.said());
    }
  }

  /// One copy, struck as the seed says.
  public Outcome copy(Route route, long seed) {
    ends.clear();
    // One for all attempts: a copy is known by its ends, and so by the proxy's port.
    try (FaultyProxy proxy = new FaultyProxy(server.host(), server.port(), _ -> SLOW)) {
      return copy(route, seed, proxy);
    }
  }

  private Outcome copy(Route route, long seed, FaultyProxy proxy) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Blow> blows = new ArrayList<>();
    for (int attempts = 1; attempts <= ATTEMPTS_MAX; attempts++) {
      proxy.recover();
      boolean again = settings.resumes() && attempts > 1;
      boolean strikes = blows.size() < BLOWS_MAX && (attempts == 1 || random.nextBoolean());
      Blow blow = strikes ? Blow.any(route, random) : null;
      long fileKilobytes = blow == Blow.FULL_DISK ? 1 + random.nextLong(settings.rows() / 6) : 0;
      List<String> between = List.of(ends.from(route, proxy.port()), ends.to(route, proxy.port()));
      Attempt attempt = Attempt.copy(settings, between, again, fileKilobytes);
      if (blow != null && !attempt.endsWithin(random.nextInt(MOMENT_MILLIS_MAX))) {
        blows.add(blow);
        strike(blow, attempt, proxy);
      }
      int code = attempt.await(PATIENCE_SECONDS);
      log.accept(
          String.format(
              Locale.ROOT,
              "  attempt %d%s: %s, exit %d %s",
              attempts,
              again ? " (resumed)" : "",
              blow == null ? "in peace" : blow,
              code,
              code == 0 ? "" : attempt.said()));
      if (code == 0) {
        return new Outcome(route, seed, blows, attempts, difference(route));
      }
    }
    return new Outcome(route, seed, blows, ATTEMPTS_MAX, "it never ended well");
  }

  private String difference(Route route) {
    if (route != Route.CSV_TO_DUCKDB) {
      return ends.difference(route, settings.rows());
    }
    Attempt verify = Attempt.verify(settings, ends.csv().toString(), ends.to(route, server.port()));
    return verify.await(PATIENCE_SECONDS) == 0 ? "" : verify.said();
  }

  private void strike(Blow blow, Attempt attempt, FaultyProxy proxy) {
    switch (blow) {
      case KILL -> attempt.kill();
      case SERVER -> {
        server.crash();
        server.startAgain();
      }
      case RESET -> proxy.resetAll();
      case SILENCE -> proxy.silence();
      case FULL_DISK -> {
        // The limit has stood since the attempt began.
      }
    }
  }

  /// Runs copies and says what came of them.
  ///
  /// `--runs N` how many (20), `--seed S` of the first (1), each has the next; `--rows N` of each
  /// (150000); `--no-resume` gives each attempt the same command; `--launcher PATH`. Ends with 1
  /// where a row was lost or is there twice.
  public static void main(String[] arguments) throws IOException {
    List<String> words = List.of(arguments);
    int runs = (int) number(words, "--runs", 20);
    long seed = number(words, "--seed", 1);
    Path folder = Files.createTempDirectory("millrace-campaign-");
    Path launcher = Path.of("millrace").toAbsolutePath();
    Settings settings =
        new Settings(
            launcher, folder, number(words, "--rows", 150_000), !words.contains("--no-resume"));
    List<Outcome> outcomes = new ArrayList<>();
    long start = System.nanoTime();
    Campaign campaign = new Campaign(settings, System.out::println);
    List<Route> routes = List.of(Route.values());
    for (long each = seed; each < seed + runs; each++) {
      outcomes.add(campaign.copy(routes.get(Math.floorMod(each, routes.size())), each));
      System.out.println(outcomes.getLast());
    }
    System.out.println(
        summary(outcomes, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)));
    System.out.println("The last copy's files are in " + folder);
    boolean good = outcomes.stream().allMatch(outcome -> outcome.wrong().isEmpty());
    Runtime.getRuntime().exit(good ? 0 : 1);
  }

  private static long number(List<String> words, String name, long otherwise) {
    int at = words.indexOf(name);
    return at < 0 ? otherwise : Long.parseLong(words.get(at + 1));
  }

  /// How many copies there were, what struck them, and how many went wrong.
  public static String summary(List<Outcome> outcomes, long seconds) {
    List<Blow> blows = outcomes.stream().flatMap(outcome -> outcome.blows().stream()).toList();
    long kills = blows.stream().filter(blow -> blow == Blow.KILL).count();
    long network = blows.stream().filter(Blow::isNetworkFault).count();
    return String.format(
        Locale.ROOT,
        "%d copies in %d s, %d kills, %d network and server faults, %d full disks: %d went wrong",
        outcomes.size(),
        seconds,
        kills,
        network,
        blows.size() - kills - network,
        outcomes.stream().filter(outcome -> !outcome.wrong().isEmpty()).count());
  }
}
