package millrace.job.file;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/// A command of the user's that runs before or after a stream or the job.
///
/// @param line where it stands, from 1
/// @param words the program and its arguments; if a shell is asked for, the one text for it
/// @param shell whether a shell reads it
/// @param env variables of its environment beside those of this process
/// @param timeout how long it may take; zero if nobody says
/// @param onlyWarns whether the job goes on if it fails
public record JobHook(
    int line,
    List<String> words,
    boolean shell,
    Map<String, String> env,
    Duration timeout,
    boolean onlyWarns) {

  public JobHook {
    words = List.copyOf(words);
    env = Map.copyOf(env);
  }
}
