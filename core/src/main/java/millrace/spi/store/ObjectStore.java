package millrace.spi.store;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A bucket, a container, or a web server: whole objects under keys, whose parts are divided by
/// slashes. A key begins with no slash.
///
/// Any thread, several at once. What goes wrong is told as files tell it: {@link
/// java.nio.file.NoSuchFileException} if there is no such object, {@link
/// java.nio.file.AccessDeniedException} if the store says that the user may not, and {@link
/// StoreException} for the rest. No message holds a key that signs requests. Requests that fail in
/// a way that may pass have been tried again when that is told.
public interface ObjectStore extends AutoCloseable {

  /// What lies below a beginning of keys, up to the next slash.
  ///
  /// @param objects by their whole keys, which end in no slash: such an object marks a folder
  /// @param folders whole beginnings of keys that have more slashes, each with its next
  record Listing(List<StoredObject> objects, List<String> folders) {
    public Listing {
      objects = List.copyOf(objects);
      folders = List.copyOf(folders);
    }
  }

  /// Whether it can list its objects; a web server can't.
  default boolean lists() {
    return true;
  }

  /// Lists what lies below a beginning of keys, page by page to the end. Parts of uploads are left
  /// out.
  ///
  /// @param folder empty for all, a folder with its slash, or any other beginning of keys: `in/20`
  ///   gives the object `in/2026.csv` and the folder `in/2026/`
  Listing list(String folder) throws IOException;

  /// What is known of an object; null if there is none.
  @Nullable StoredObject find(String key) throws IOException;

  /// Reads a range of an object.
  ///
  /// @param object as it was found; another of that key is refused
  /// @param to where the range ends, behind `from`
  /// @return exactly those bytes; the caller closes it
  /// @throws StoreException if the object is another by now, or ends before `to`
  InputStream read(StoredObject object, long from, long to) throws IOException;

  /// Begins to write an object in parts. Nobody sees it before it is complete.
  Upload upload(String key) throws IOException;

  /// Uploads of objects whose keys begin so that were neither completed nor aborted.
  List<Upload> uploads(String prefix) throws IOException;

  /// Writes a small object at once.
  ///
  /// @param expected the identity of the object whose place it takes, empty if there must be none,
  ///   null if that does not matter
  /// @throws java.nio.file.FileAlreadyExistsException if it is not as expected
  StoredObject put(String key, byte[] bytes, @Nullable String expected) throws IOException;

  /// Removes an object, if it is there.
  void delete(String key) throws IOException;

  /// Lets go of connections.
  @Override
  void close();
}
