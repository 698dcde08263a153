package millrace.io.store;

import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;
import millrace.spi.store.ObjectStore;

/// A store as a file system: keys are paths, and what stands before a slash is a folder.
final class StoreFileSystem extends FileSystem {

  private final String root;
  private final StoreClient store;
  private final StoreFiles files = new StoreFiles(this);
  private final Heads heads = new Heads();

  /// @param root what stands before a key: `s3://bucket/`
  StoreFileSystem(String root, ObjectStore store) {
    this.root = root;
    this.store = new StoreClient(store);
  }

  String root() {
    return root;
  }

  StoreClient store() {
    return store;
  }

  StoreClient.Requests requests() {
    return store.requests();
  }

  Heads heads() {
    return heads;
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
