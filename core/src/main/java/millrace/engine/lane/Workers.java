package millrace.engine.lane;

import java.util.List;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// Those that work a run's splits off: the lanes of this process, or other processes.
public interface Workers {

  /// Works all splits off, or as many as are done when the first failure comes.
  void work();

  /// Keeps the first failure and stops all; later ones are only its echo. From any thread.
  void fail(Throwable cause);

  /// The first failure, or null while there is none.
  @Nullable Throwable failure();

  /// What they have found out.
  default Found found() {
    return Found.NOTHING;
  }

  /// What the user should know of how it went, one sentence each. Asked once all have ended.
  default List<String> notes() {
    return List.of();
  }

  /// What workers have found out.
  ///
  /// @param unopened lanes that there were no connections for until it was too late for them
  /// @param unopenedWhy why one of them could not open; empty if there are none
  /// @param limitWhy why no more lanes could be added than there were; empty if nothing stood
  ///   against it
  /// @param readUnit how much they found best to ask for at a time; null if they did not look
  /// @param writeUnit how much they found best to send at a time; null likewise
  /// @param elsewhere which part of the time they were at work that they had for it, if they are
  ///   other processes; else negative
  record Found(
      int unopened,
      String unopenedWhy,
      String limitWhy,
      @Nullable Amount readUnit,
      @Nullable Amount writeUnit,
      double elsewhere) {

    static final Found NOTHING = new Found(0, "", "", null, null, -1);
  }
}
