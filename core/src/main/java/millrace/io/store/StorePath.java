package millrace.io.store;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A file or folder of a store, or a part of such a path. What the store told of a file stays with
/// the path: all that is read by way of one path is of one state of it.
public final class StorePath implements Path {

  private static final Logger LOG = LoggerFactory.getLogger(StorePath.class);

  private static final int HEADS_AT_ONCE = 16;

  /// How often a file is read that is written to meanwhile each time.
  private static final int READS = 20;

  /// How many parts a file has at most, as most stores have it.
  private static final int PARTS_MAX = 10_000;

  private enum Kind {
    UNKNOWN,
    FOLDER,
    RELATIVE
  }

  private final StoreFileSystem system;

  /// Without a slash at its end.
  private final String key;

  private final Kind kind;
  private volatile @Nullable StoredObject known;

  private StorePath(StoreFileSystem system, String key, Kind kind, @Nullable StoredObject known) {
    this.system = system;
    this.key = key;
    this.kind = kind;
    this.known = known;
  }

  static StorePath unknown(StoreFileSystem system, String key) {
    return new StorePath(system, key, Kind.UNKNOWN, null);
  }

  static StorePath folder(StoreFileSystem system, String key) {
    return new StorePath(system, key, Kind.FOLDER, null);
  }

  static StorePath relative(StoreFileSystem system, String key) {
    return new StorePath(system, key, Kind.RELATIVE, null);
  }

  static StorePath of(StoreFileSystem system, StoredObject object) {
    return new StorePath(system, object.key(), Kind.UNKNOWN, object);
  }

  String key() {
    return key;
  }

  /// Whether it can only be a folder, by how it was written or listed.
  boolean isFolder() {
    return kind == Kind.FOLDER;
  }

  /// What is known of the file; null if there is none.
  ///
  /// @throws IOException if the store can't tell
  @Nullable StoredObject object() throws IOException {
    StoredObject object = known;
    if (object == null && kind == Kind.UNKNOWN) {
      object = system.store().find(key);
      known = object;
    }
    return object;
  }

  /// The same of a file that has to be there.
  StoredObject file() throws IOException {
    StoredObject object = object();
    if (object == null) {
      throw new NoSuchFileException(toString());
    }
    return object;
  }

  /// Whether there is such a file.
  ///
  /// @throws IOException if the store can't tell
  public boolean isFile() throws IOException {
    return object() != null;
  }

  /// Whether its store can tell what a folder holds.
  public boolean isInFolders() {
    return system.store().lists();
  }

  /// What tells the file's content from any other: the store's own word for it.
  ///
  /// @throws IOException if the store can't tell
  public String identity() throws IOException {
    return file().identity();
  }

  /// Whether the file can be read from anywhere, else only from its beginning.
  ///
  /// @throws IOException if the store can't tell
  public boolean hasRanges() throws IOException {
    return file().hasRanges();
  }

  /// Reads a range of the file, some ranges of it at a time and ahead. The caller closes it.
  ///
  /// @param to where the range ends; the file must be that long
  /// @throws IOException if the store can't give it
  public InputStream open(long from, long to) throws IOException {
    return system.heads().open(system.store(), file(), from, to);
  }

  /// Writes a small file at once.
  ///
  /// @param expected the identity of the file whose place it takes, empty if there must be none,
  ///   null if that does not matter
  /// @return its identity
  /// @throws java.nio.file.FileAlreadyExistsException if it is not as expected
  /// @throws IOException if the store can't take it
  public String put(byte[] bytes, @Nullable String expected) throws IOException {
    known = null;
    return system.store().put(key, bytes, expected).identity();
  }

  /// A small file, and by what it is known. One that is written to meanwhile is read anew.
  ///
  /// @throws java.nio.file.NoSuchFileException if it is not there
  /// @throws IOException if the store can't give it
  public Content content() throws IOException {
    for (int tries = 1; ; tries++) {
      StoredObject found = anew().file();
      try (InputStream in = system.store().whole(found)) {
        return new Content(in.readAllBytes(), found.identity());
      } catch (StoreException e) {
        if (tries == READS || found.identity().equals(anew().file().identity())) {
          throw e;
        }
      }
    }
  }

  /// What a file held.
  public record Content(byte[] bytes, String identity) {}

  /// An upload of the file that was neither completed nor removed; null if it is not there.
  ///
  /// @throws IOException if the store can't tell
  public @Nullable StoreUpload upload(String id) throws IOException {
    for (Upload each : system.store().uploadsBelow(key)) {
      if (each.key().equals(key) && each.id().equals(id)) {
        return new StoreUpload(system, each);
      }
    }
    return null;
  }

  /// All such uploads of files whose paths begin as this does, whoever has begun them.
  ///
  /// @throws IOException if the store can't tell
  public List<StoreUpload> uploadsBeginningSo() throws IOException {
    return system.store().uploadsBelow(key).stream()
        .map(each -> new StoreUpload(system, each))
        .toList();
  }

  /// Begins to write the file in parts.
  ///
  /// @throws IOException if the store takes none
  public StoreUpload upload() throws IOException {
    return new StoreUpload(system, system.store().upload(key));
  }

  /// About how many parts it would be written in.
  ///
  /// @param bytes how long it would be
  public long parts(long bytes) {
    return StoreWriter.parts(bytes, system.partBytes(), PARTS_MAX);
  }

  /// The same path, of which nothing is known yet.
  public StorePath anew() {
    return isAbsolute() && kind == Kind.UNKNOWN ? unknown(system, key) : this;
  }

  /// Files whose paths begin as this does, and which have no slash behind that.
  ///
  /// @throws IOException if the store can't list them
  public List<StorePath> beginningSo() throws IOException {
    return system.store().list(key).objects().stream().map(each -> of(system, each)).toList();
  }

  /// Fetches the beginnings of files that are about to be looked at, some at a time. Who looks at
  /// one that did not come asks for it once more, and is told why.
  ///
  /// @param paths of files, some or all in stores
  public static void fetchHeads(List<Path> paths) {
    Semaphore room = new Semaphore(HEADS_AT_ONCE);
    try (ExecutorService fetching = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Path each : paths) {
        if (each instanceof StorePath stored) {
          room.acquireUninterruptibly();
          fetching.execute(() -> {
            try (InputStream in = stored.open(0, stored.file().size())) {
              in.read();
            } catch (IOException e) {
              LOG.debug("the beginning of {} did not come", stored, e);
            } finally {
              room.release();
            }
          });
        }
      }
    }
  }

  /// About how many requests it takes to read files to their ends that have been looked at. Those
  /// of this machine take none.
  ///
  /// @throws IOException if a store can't tell of one
  public static long requests(List<Path> paths) throws IOException {
    List<StoredObject> files = new ArrayList<>();
    for (Path each : paths) {
      if (each instanceof StorePath stored) {
        files.add(stored.file());
      }
    }
    return Heads.requests(files);
  }

  @Override
  public FileSystem getFileSystem() {
    return system;
  }

  @Override
  public boolean isAbsolute() {
    return kind != Kind.RELATIVE;
  }

  @Override
  public @Nullable Path getRoot() {
    return isAbsolute() ? folder(system, "") : null;
  }

  @Override
  public @Nullable Path getFileName() {
    return key.isEmpty() ? null : relative(system, key.substring(key.lastIndexOf('/') + 1));
  }

  @Override
  public @Nullable Path getParent() {
    int slash = key.lastIndexOf('/');
    String parent = slash < 0 ? "" : key.substring(0, slash);
    return isAbsolute()
        ? key.isEmpty() ? null : folder(system, parent)
        : slash < 0 ? null : relative(system, parent);
  }

  private String[] names() {
    return key.isEmpty() ? new String[0] : key.split("/", -1);
  }

  @Override
  public int getNameCount() {
    return names().length;
  }

  @Override
  public Path getName(int index) {
    return subpath(index, index + 1);
  }

  @Override
  public Path subpath(int begin, int end) {
    String[] names = names();
    if (begin < 0 || begin >= end || end > names.length) {
      throw new IllegalArgumentException(begin + " to " + end + " of " + this);
    }
    return relative(system, String.join("/", Arrays.copyOfRange(names, begin, end)));
  }

  @Override
  public boolean startsWith(Path other) {
    return other instanceof StorePath path
        && path.system == system
        && path.isAbsolute() == isAbsolute()
        && (path.key.isEmpty() || key.equals(path.key) || key.startsWith(path.key + "/"));
  }

  @Override
  public boolean endsWith(Path other) {
    return other instanceof StorePath path
        && path.system == system
        && (path.isAbsolute()
            ? equals(path)
            : key.equals(path.key) || key.endsWith("/" + path.key));
  }

  /// Dots are names like others in a key.
  @Override
  public Path normalize() {
    return this;
  }

  @Override
  public Path resolve(Path other) {
    if (other.isAbsolute()) {
      return other;
    }
    String name = other.toString();
    String joined = key.isEmpty() ? name : name.isEmpty() ? key : key + "/" + name;
    return isAbsolute() ? system.path(joined) : relative(system, joined);
  }

  @Override
  public Path relativize(Path other) {
    if (!(other instanceof StorePath path) || !path.startsWith(this)) {
      throw new IllegalArgumentException(other + " does not lie in " + this);
    }
    return relative(
        system,
        path.key.substring(Math.min(path.key.length(), key.isEmpty() ? 0 : key.length() + 1)));
  }

  @Override
  public URI toUri() {
    try {
      return new URI(system.root().replaceFirst("://.*", ""), "//" + toString(), null);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Path toAbsolutePath() {
    return isAbsolute() ? this : system.path(key);
  }

  @Override
  public Path toRealPath(LinkOption... options) {
    return toAbsolutePath();
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int compareTo(Path other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StorePath path
        && path.system == system
        && path.isAbsolute() == isAbsolute()
        && path.key.equals(key);
  }

  @Override
  public int hashCode() {
    return Objects.hash(key, isAbsolute());
  }

  @Override
  public String toString() {
    return isAbsolute() ? system.root() + key : key;
  }
}
