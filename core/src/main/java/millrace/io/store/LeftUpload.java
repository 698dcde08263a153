package millrace.io.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import millrace.spi.store.Upload;

/// What a store has of a file that is not complete: a copy is writing it, or was killed.
public final class LeftUpload {

  /// What several files have behind their name: `orders-00012.csv`.
  private static final String NUMBER = "-\\d{5,18}(?=(\\.[A-Za-z0-9]{1,8})?(\\.gz|\\.zst)?$)";

  private final StorePath file;
  private final StoreUpload upload;
  private final long bytes;

  private LeftUpload(StorePath file, StoreUpload upload, long bytes) {
    this.file = file;
    this.upload = upload;
    this.bytes = bytes;
  }

  /// Those of a file, or of several of that name with a number; none on this machine.
  ///
  /// @throws IOException if the store can't tell
  public static List<LeftUpload> of(FileLocation location) throws IOException {
    List<LeftUpload> all = new ArrayList<>();
    Path path = location.path();
    if (path instanceof StorePath file) {
      StoreFileSystem system = (StoreFileSystem) file.getFileSystem();
      String name = String.valueOf(file.getFileName());
      int dot = name.indexOf('.', 1);
      String end = dot < 0 ? "" : name.substring(dot);
      String prefix = file.key().substring(0, file.key().length() - end.length());
      for (Upload each : system.store().uploadsBelow(prefix)) {
        if (each.key().replaceFirst(NUMBER, "").equals(file.key())
            || each.key().equals(file.key())) {
          StoreUpload upload = new StoreUpload(system, each);
          all.add(new LeftUpload(StorePath.unknown(system, each.key()), upload, upload.bytes()));
        }
      }
    }
    return all;
  }

  /// The name that it would have had.
  public String file() {
    return file.toString();
  }

  /// How many the store keeps, and is paid for.
  public long bytes() {
    return bytes;
  }

  /// Removes it.
  ///
  /// @throws IOException if the store can't
  public void remove() throws IOException {
    upload.abort();
  }
}
