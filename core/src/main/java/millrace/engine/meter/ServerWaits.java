package millrace.engine.meter;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What the processes of the ends' servers were seen to wait for, in words.
///
/// @param all of both ends
/// @param helps what would make waits shorter, a sentence each, by what they are for in words, or
///   by {@link #at} if it is of one end alone
public record ServerWaits(List<Waited> all, Map<String, String> helps) {

  /// For how much of the time the processes of one end's server that had something to do were seen
  /// to wait for one thing.
  ///
  /// @param end `source` or `target`
  /// @param event the server's own name of it; empty if they waited for nothing
  /// @param what the same in words; several events may have the same
  /// @param looks how often a process was seen so
  /// @param sharePercent of all looks at that end's processes
  public record Waited(String end, String event, String what, long looks, double sharePercent) {}

  /// If nobody looked.
  public static final ServerWaits UNKNOWN = new ServerWaits(List.of(), Map.of());

  /// With fewer looks than this, shares mean little.
  private static final long LOOKS_MIN = 20;

  /// Waits that took less of the time are not worth a word.
  private static final double SHARE_MIN = 3;

  public ServerWaits {
    all = List.copyOf(all);
    helps = Map.copyOf(helps);
  }

  /// All events that stand for the same.
  ///
  /// @param events the server's names of them, the most frequent first
  public record Wait(String what, double sharePercent, List<String> events) {

    /// Whether it is us that is waited for, or the network.
    public boolean isForClient() {
      return what.equals(millrace.spi.ServerWait.CLIENT);
    }

    /// Whether it is locks.
    public boolean isForLocks() {
      return what.equals(millrace.spi.ServerWait.LOCKS);
    }
  }

  /// Whether that end's processes were looked at often enough to say something.
  public boolean isKnown(String end) {
    return all.stream().filter(waited -> waited.end().equals(end)).mapToLong(Waited::looks).sum()
        >= LOOKS_MIN;
  }

  /// For how much of the time they waited for nothing: they were on a processor, or wanted one.
  public double atWorkPercent(String end) {
    return all.stream()
        .filter(waited -> waited.end().equals(end) && waited.event().isEmpty())
        .mapToDouble(Waited::sharePercent)
        .sum();
  }

  /// For how much of the time they waited for us or the network.
  public double clientPercent(String end) {
    return percent(end, true);
  }

  /// For how much of the time they waited for something of their own: a lock, a log, a disk.
  public double internalPercent(String end) {
    return percent(end, false);
  }

  private double percent(String end, boolean forClient) {
    return of(end).stream()
        .filter(wait -> wait.isForClient() == forClient)
        .mapToDouble(Wait::sharePercent)
        .sum();
  }

  /// What that end's processes waited for, the longest first; what is not worth a word left out.
  public List<Wait> of(String end) {
    return all.stream()
        .filter(waited -> waited.end().equals(end) && !waited.event().isEmpty())
        .collect(Collectors.groupingBy(Waited::what))
        .values()
        .stream()
        .map(ServerWaits::together)
        .filter(wait -> wait.sharePercent >= SHARE_MIN)
        .sorted(Comparator.comparingDouble(Wait::sharePercent).reversed())
        .toList();
  }

  private static Wait together(List<Waited> same) {
    List<String> events =
        same.stream()
            .sorted(Comparator.comparingLong(Waited::looks).reversed())
            .map(Waited::event)
            .toList();
    return new Wait(
        same.getFirst().what(), same.stream().mapToDouble(Waited::sharePercent).sum(), events);
  }

  /// What would make such waits at an end shorter; empty if nothing is known to.
  public String help(String end, Wait wait) {
    return helps.getOrDefault(at(end, wait.what), helps.getOrDefault(wait.what, ""));
  }

  /// What would make that end's work shorter; empty if nothing is known to.
  public String helpAtWork(String end) {
    return helps.getOrDefault(at(end, ""), "");
  }

  /// What waits of one end are known by.
  ///
  /// @param what in words what they are for; empty for work
  public static String at(String end, String what) {
    return end + ": " + what;
  }

  /// How that end's processes spent their time, with the server's names of what they waited for;
  /// only if it is known.
  public String line(String end) {
    return words(
        end,
        wait ->
            wait.events.getFirst().equals(wait.what)
                ? wait.what
                : wait.what + " (" + String.join(", ", wait.events) + ")");
  }

  /// The same in words alone.
  public String words(String end) {
    return words(end, Wait::what);
  }

  private String words(String end, Function<Wait, String> name) {
    String waited =
        of(end).stream()
            .map(wait ->
                String.format(Locale.ROOT, "for %s %.0f %%", name.apply(wait), wait.sharePercent))
            .collect(Collectors.joining(", "));
    return String.format(Locale.ROOT, "at work %.0f %% of the time", atWorkPercent(end))
        + (waited.isEmpty() ? "" : ", waiting " + waited);
  }
}
