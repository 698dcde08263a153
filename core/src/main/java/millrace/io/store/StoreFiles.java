package millrace.io.store;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.spi.FileSystemProvider;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoredObject;
import org.jspecify.annotations.Nullable;

/// What Java asks of a file system, put to one store. Files are read; they are written by {@link
/// millrace.spi.store.Upload}, not by streams of this.
final class StoreFiles extends FileSystemProvider {

  private final StoreFileSystem system;

  StoreFiles(StoreFileSystem system) {
    this.system = system;
  }

  /// A file, or a folder, which is nothing but a beginning of keys.
  ///
  /// @param object null for a folder
  private record Attributes(@Nullable StoredObject object) implements BasicFileAttributes {

    @Override
    public FileTime lastModifiedTime() {
      return FileTime.from(object == null ? Instant.EPOCH : object.modified());
    }

    @Override
    public FileTime lastAccessTime() {
      return lastModifiedTime();
    }

    @Override
    public FileTime creationTime() {
      return lastModifiedTime();
    }

    @Override
    public boolean isRegularFile() {
      return object != null;
    }

    @Override
    public boolean isDirectory() {
      return object == null;
    }

    @Override
    public boolean isSymbolicLink() {
      return false;
    }

    @Override
    public boolean isOther() {
      return false;
    }

    @Override
    public long size() {
      return object == null ? 0 : object.size();
    }

    @Override
    public @Nullable Object fileKey() {
      return object == null ? null : object.identity();
    }
  }

  private static StorePath store(Path path) {
    return (StorePath) path.toAbsolutePath();
  }

  @Override
  public String getScheme() {
    return system.root().substring(0, system.root().indexOf(':'));
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    if (type != BasicFileAttributes.class) {
      throw new UnsupportedOperationException(type.getName());
    }
    return type.cast(attributes(store(path)));
  }

  private Attributes attributes(StorePath path) throws IOException {
    StoredObject object = path.object();
    if (object != null) {
      return new Attributes(object);
    }
    if (path.key().isEmpty()) {
      return new Attributes(null);
    }
    ObjectStore.Listing below = system.store().list(path.key() + "/");
    if (below.objects().isEmpty() && below.folders().isEmpty()) {
      throw new NoSuchFileException(path.toString());
    }
    return new Attributes(null);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return null;
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    attributes(store(path));
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
    String key = store(folder).key();
    String prefix = key.isEmpty() ? "" : key + "/";
    ObjectStore.Listing listing = system.store().list(prefix);
    List<Path> entries = new ArrayList<>();
    for (StoredObject each : listing.objects()) {
      // Some tools mark a folder by an empty object of its name.
      if (!each.key().equals(prefix)) {
        entries.add(StorePath.of(system, each));
      }
    }
    listing.folders().forEach(each -> entries.add(system.path(each)));
    List<Path> accepted = new ArrayList<>();
    for (Path each : entries) {
      if (filter.accept(each)) {
        accepted.add(each);
      }
    }
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        return accepted.iterator();
      }

      @Override
      public void close() {
        // All has been read.
      }
    };
  }

  @Override
  public InputStream newInputStream(Path path, OpenOption... options) throws IOException {
    StorePath file = store(path);
    return file.open(0, file.file().size());
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return new Channel(store(path));
  }

  /// Reads here and there, as who looks at the end of a file does.
  private static final class Channel implements SeekableByteChannel {
    private final StorePath file;
    private final long size;
    private long position;
    private boolean isOpen = true;

    Channel(StorePath file) throws IOException {
      this.file = file;
      size = file.file().size();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      long end = Math.min(size, position + into.remaining());
      if (position >= end) {
        return into.hasRemaining() ? -1 : 0;
      }
      try (InputStream in = file.open(position, end)) {
        byte[] bytes = in.readNBytes((int) (end - position));
        into.put(bytes);
        position += bytes.length;
        return bytes.length;
      }
    }

    @Override
    public int write(ByteBuffer from) {
      throw new NonWritableChannelException();
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public SeekableByteChannel position(long newPosition) {
      position = newPosition;
      return this;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public SeekableByteChannel truncate(long newSize) {
      throw new NonWritableChannelException();
    }

    @Override
    public boolean isOpen() {
      return isOpen;
    }

    @Override
    public void close() {
      isOpen = false;
    }
  }

  @Override
  public void delete(Path path) throws IOException {
    system.store().delete(store(path).key());
  }

  @Override
  public boolean isSameFile(Path one, Path other) {
    return one.equals(other);
  }

  @Override
  public boolean isHidden(Path path) {
    return false;
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return system;
  }

  @Override
  public Path getPath(URI uri) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void createDirectory(Path folder, FileAttribute<?>... attributes) {
    // A key brings its folders with it.
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileStore getFileStore(Path path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
    throw new UnsupportedOperationException();
  }
}
