package millrace.job.file;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import millrace.endpoint.Endpoints;
import millrace.plan.ShellWords;
import org.jspecify.annotations.Nullable;

/// A command or SQL of the user's that runs before or after a stream or the job.
///
/// @param line where it stands, from 1
/// @param words the program and its arguments; if a shell is asked for, the one text for it; none
///   of SQL
/// @param shell whether a shell reads it
/// @param env variables of its environment beside those of this process
/// @param timeout how long it may take; zero if nobody says
/// @param onlyWarns whether the job goes on if it fails
/// @param query the SQL; null of a command
/// @param shown the words, or the statements, as they may be printed: without what is secret
public record JobHook(
    int line,
    List<String> words,
    boolean shell,
    Map<String, String> env,
    Duration timeout,
    boolean onlyWarns,
    @Nullable Query query,
    List<String> shown) {

  /// SQL of the user's.
  ///
  /// @param connection `source`, `target`, or an end as the command line has it
  /// @param statements one after the other
  public record Query(String connection, List<String> statements) {

    public Query {
      statements = List.copyOf(statements);
    }
  }

  /// A command that holds no secret.
  public JobHook(
      int line,
      List<String> words,
      boolean shell,
      Map<String, String> env,
      Duration timeout,
      boolean onlyWarns) {
    this(line, words, shell, env, timeout, onlyWarns, null, words);
  }

  /// How it is named in plans and messages.
  public String label() {
    return query == null && !shell
        ? ShellWords.line(shown)
        : Endpoints.redact(String.join("; ", shown));
  }

  public JobHook {
    words = List.copyOf(words);
    env = Map.copyOf(env);
    shown = List.copyOf(shown);
  }
}
