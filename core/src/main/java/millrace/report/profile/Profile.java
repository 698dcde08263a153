package millrace.report.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Where the processor time of a run went, method by method. Part of the report.
///
/// @param file the recording, for JDK Mission Control or `jfr print`
/// @param event the kind of samples taken, as the recorder names it
/// @param periodMs milliseconds between two samples of a thread
/// @param samples how many there are
/// @param hot methods in which {@link Hotspots#HOT_PERCENT} or more of the samples fell, most
///   first; the largest few if none did
public record Profile(String file, String event, int periodMs, long samples, List<Hot> hot) {

  public Profile {
    hot = List.copyOf(hot);
  }

  /// A method.
  ///
  /// @param method class and name
  /// @param percent how many of the samples fell into the method itself
  /// @param callers who called it, most samples first
  public record Hot(String method, double percent, List<Caller> callers) {

    public Hot {
      callers = List.copyOf(callers);
    }
  }

  /// A way in which a method was called.
  ///
  /// @param chain the caller, the caller's caller, and one more
  /// @param percent how many of all samples came this way
  public record Caller(List<String> chain, double percent) {

    public Caller {
      chain = List.copyOf(chain);
    }
  }

  /// Class and method without the package.
  private static String brief(String method) {
    int dot = method.lastIndexOf('.', method.lastIndexOf('.') - 1);
    return method.substring(dot + 1);
  }

  /// The profile as a user reads it.
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "profile    %,d samples, one every %d ms of a thread (%s); %s",
            samples,
            periodMs,
            event,
            file));
    for (Hot method : hot) {
      lines.add(String.format(Locale.ROOT, "  %3.0f %%  %s", method.percent(), method.method()));
      for (Caller caller : method.callers()) {
        lines.add(
            String.format(
                Locale.ROOT,
                "           %3.0f %%  by %s",
                caller.percent(),
                caller.chain().stream().map(Profile::brief).collect(Collectors.joining(" by "))));
      }
    }
    return lines;
  }
}
