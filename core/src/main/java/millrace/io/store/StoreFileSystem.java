package millrace.io.store;

import java.lang.ref.SoftReference;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import millrace.spi.store.ObjectStore;

/// A store as a file system: keys are paths, and what stands before a slash is a folder.
final class StoreFileSystem extends FileSystem {

  /// How many parts of files are on their way at once, as long as they have not grown: each holds
  /// memory.
  static final int PARTS_AT_ONCE = Math.clamp(Runtime.getRuntime().maxMemory() >> 27, 3, 16);

  private final String root;
  private final StoreClient store;
  private final int partBytes;
  private final StoreFiles files = new StoreFiles(this);
  private final Heads heads = new Heads();

  /// Of the parts of all files that are written.
  private final Semaphore partsOnTheWay = new Semaphore(PARTS_AT_ONCE);

  /// Whoever needs the memory may have them.
  private final Deque<SoftReference<byte[]>> freeArrays = new ConcurrentLinkedDeque<>();

  /// @param root what stands before a key: `s3://bucket/`
  /// @param partBytes how long the parts are in which files are written
  StoreFileSystem(String root, ObjectStore store, int partBytes) {
    this.root = root;
    this.partBytes = partBytes;
    this.store = new StoreClient(store);
  }

  String root() {
    return root;
  }

  StoreClient store() {
    return store;
  }

  Heads heads() {
    return heads;
  }

  Semaphore partsOnTheWay() {
    return partsOnTheWay;
  }

  int partBytes() {
    return partBytes;
  }

  /// Arrays that were used for parts.
  Deque<SoftReference<byte[]>> freeArrays() {
    return freeArrays;
  }

  /// @param text behind the root; with a slash at its end it is a folder
  StorePath path(String text) {
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == '/') {
      end--;
    }
    String key = text.substring(0, end);
    return key.isEmpty() || end < text.length()
        ? StorePath.folder(this, key)
        : StorePath.unknown(this, key);
  }

  @Override
  public FileSystemProvider provider() {
    return files;
  }

  /// It stays open as long as the process.
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return "/";
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(path(""));
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return List.of();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return Set.of("basic");
  }

  @Override
  public Path getPath(String first, String... more) {
    String joined = more.length == 0 ? first : first + "/" + String.join("/", more);
    return joined.startsWith(root)
        ? path(joined.substring(root.length()))
        : StorePath.relative(this, joined);
  }

  @Override
  public PathMatcher getPathMatcher(String syntaxAndPattern) {
    throw new UnsupportedOperationException();
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    throw new UnsupportedOperationException();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException();
  }
}
