package millrace.connectors.stores;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.spi.store.StoreException;
import org.jspecify.annotations.Nullable;

/// What the codes of a store's errors mean, in the words of the contract.
public final class FaultTable {

  /// What becomes of an error.
  private enum Kind {
    REFUSED,
    FAILED,
    PASSING,
    LIMITED,
    UNEXPECTED
  }

  private record Meaning(Kind kind, String reason) {}

  private final Map<String, Meaning> meanings = new HashMap<>();

  /// @param lines each: what becomes of it, the store's codes, and what to tell
  public FaultTable(String lines) {
    for (String line : lines.lines().toList()) {
      int codes = line.indexOf(' ') + 1;
      int words = line.indexOf(": ", codes);
      Meaning meaning =
          new Meaning(Kind.valueOf(line.substring(0, codes - 1)), line.substring(words + 2));
      List.of(line.substring(codes, words).split(",")).forEach(code -> meanings.put(code, meaning));
    }
  }

  /// What to throw; null if neither code stands in the table.
  ///
  /// @param otherwise the code for the answer's status, which stands for all that are unknown
  /// @param details what stands for `%s` in a reason
  public @Nullable IOException of(
      String location, String code, String otherwise, Object... details) {
    @Nullable Meaning meaning = meanings.getOrDefault(code, meanings.get(otherwise));
    if (meaning == null) {
      return null;
    }
    String reason = meaning.reason.formatted(details);
    return switch (meaning.kind) {
      case REFUSED -> new AccessDeniedException(location, null, reason);
      case FAILED -> new StoreException(location, reason, false);
      case PASSING -> new StoreException(location, reason, true);
      case LIMITED -> StoreException.turnedAway(location, reason);
      case UNEXPECTED -> new FileAlreadyExistsException(location, null, reason);
    };
  }

  /// Others' words in one line, without anything that could be a key, a token or a signature.
  public static String plain(@Nullable String words) {
    String said = words == null ? "" : words;
    return said.replaceAll("[A-Za-z0-9/+=_%-]{32,}", "…").replaceAll("\\s+", " ").strip();
  }
}
