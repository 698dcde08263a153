package millrace.spi.write;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/// The name of a table in which rows wait for the end of a run: the target's, a mark, and what
/// tells it from others, such as `orders_millrace_0a1b2c3d`. The same in all systems, so that what
/// a killed run has left is known for what it is.
public final class StagingName {

  /// Between the target's name and what follows; nobody else's table is expected to have it.
  public static final String MARK = "_millrace_";

  private static final String JOURNAL = "millrace_journal";
  private static final String LOCK = "millrace_lock";

  private StagingName() {}

  /// Whether a table is none of the user's: a copy has staged rows in it, or keeps its journal or
  /// its lock there.
  public static boolean isOwn(String table) {
    String lower = table.toLowerCase(Locale.ROOT);
    return lower.contains(MARK) || lower.contains(JOURNAL) || lower.equals(LOCK);
  }

  /// The name, of which the target's part is cut if it would be too long.
  ///
  /// @param id tells it from the staging tables of other runs
  /// @param bytesMax how long a name may be, in UTF-8
  public static String of(String target, String id, int bytesMax) {
    return cut(target, bytesMax - bytes(MARK) - bytes(id)) + MARK + id;
  }

  /// One that no other run has.
  public static String unique(String target, int bytesMax) {
    String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    return of(target, id, bytesMax);
  }

  /// The beginning of a name, in whole characters and at most so many bytes of UTF-8.
  public static String cut(String name, int bytesMax) {
    String shorter = name;
    while (bytes(shorter) > bytesMax) {
      shorter = shorter.substring(0, shorter.offsetByCodePoints(shorter.length(), -1));
    }
    return shorter;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
