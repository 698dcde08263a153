package millrace.io.store;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.spi.Endpoint;

/// Where files lie, as a user writes it: a path of this machine, or `scheme://…` of a store.
///
/// @param text a path, a folder or a glob
/// @param settings how its store is reached, see {@link StoreOptions}; empty for this machine
public record FileLocation(String text, Map<String, String> settings) {

  /// A scheme and what it leads to: a bucket, a container, a host.
  private static final Pattern STORE = Pattern.compile("([a-z][a-z0-9]*)://([^/]*)/?");

  /// The setting that holds what stands behind the question mark of a web server's URL.
  private static final String QUERY = "query";

  public FileLocation {
    settings = Map.copyOf(settings);
  }

  /// The location of an end that is files.
  public static FileLocation of(Endpoint end) {
    FileLocation location = of(end.location(), end.parameters());
    String query = end.secret().reveal();
    if (query == null || !isOnWeb(end.location())) {
      return location;
    }
    Map<String, String> settings = new TreeMap<>(location.settings);
    settings.put(QUERY, query);
    return new FileLocation(location.text, settings);
  }

  /// A location by its text.
  ///
  /// @param parameters those of an end, of which some are settings of its store
  public static FileLocation of(String text, Map<String, String> parameters) {
    Map<String, String> settings = new TreeMap<>();
    if (isInStore(text)) {
      settings.putAll(parameters);
      settings.keySet().retainAll(StoreOptions.NAMES);
    }
    return new FileLocation(text, settings);
  }

  /// Whether such a text names something in a store.
  public static boolean isInStore(String text) {
    Matcher matcher = STORE.matcher(text);
    return matcher.lookingAt() && Stores.isScheme(matcher.group(1));
  }

  /// Whether such a text is a web server's URL, whose parameters are the server's own, and may be
  /// what signs it.
  public static boolean isOnWeb(String text) {
    return (text.startsWith("http://") || text.startsWith("https://")) && isInStore(text);
  }

  /// Whether it is something in a store.
  public boolean isInStore() {
    return isInStore(text);
  }

  /// Refuses a text that names a user or a key of a store, and repeats neither.
  ///
  /// @throws Fault.User if it does
  public static void checkNoKey(String text) {
    Matcher matcher = STORE.matcher(text);
    if (matcher.lookingAt()
        && Stores.isScheme(matcher.group(1))
        && !matcher.group(1).equals("abfss")
        && matcher.group(2).contains("@")) {
      throw new Fault.User(
          matcher.group(1) + "://…@ names a user or a key, which the URL of a store does not have.",
          "Leave it out. Keys are taken from where the store's own tools have them.");
    }
  }

  /// Refuses what can't be written.
  ///
  /// @throws Fault.User if it is on a web server
  public void checkWritten() {
    if (isOnWeb(text)) {
      throw new Fault.User(
          text + " is on a web server, whose files are only read.",
          "Name a file in a bucket, or on this machine.");
    }
  }

  /// Another location of the same store, or of this machine.
  public FileLocation at(String other) {
    return new FileLocation(other, settings);
  }

  /// Where the first name begins that a folder or file can have.
  public int namesStart() {
    Matcher matcher = STORE.matcher(text);
    return isInStore(text) && matcher.lookingAt() ? matcher.end() : 0;
  }

  /// The path that this is. Nothing is asked of a store for it.
  ///
  /// @throws java.nio.file.InvalidPathException if it is none
  /// @throws millrace.fault.Fault.User if the store can't be opened
  public Path path() {
    Matcher matcher = STORE.matcher(text);
    return isInStore(text) && matcher.lookingAt()
        ? Stores.open(matcher.group(1), matcher.group(2), settings)
            .path(text.substring(matcher.end()))
        : Path.of(text);
  }
}
