package millrace.connectors.duckdb.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.store.StorePath;
import millrace.io.store.StoreUpload;
import millrace.io.store.StoreWriter;
import millrace.spi.store.StoreException;
import org.jspecify.annotations.Nullable;

/// A file for a store. DuckDB writes it to a folder for temporary files, since it could write to a
/// store only by an extension that it would have to download; then it is uploaded.
///
/// While that is under way a small file beside its place tells of the upload:
/// `.NAME.millrace-MACHINE-PROCESS-ID.part`. The next copy into the same file removes what a killed
/// process has left so.
final class UploadedPart implements PartFile {

  private static final int BLOCK_BYTES = 1 << 20;
  private static final String ENDING = ".part";

  private final String label;
  private final StorePath file;
  private final StorePath mark;
  private final Path path;
  private @Nullable StoreWriter writer;

  UploadedPart(String label, StorePath file) {
    this.label = label;
    this.file = file;
    UUID id = UUID.randomUUID();
    String name = prefix() + ProcessHandle.current().pid() + "-" + id + ENDING;
    mark = (StorePath) file.resolveSibling(name);
    path = Path.of(System.getProperty("java.io.tmpdir"), "millrace-" + id + ENDING);
  }

  private String prefix() {
    return "." + file.getFileName() + ".millrace-" + machine() + "-";
  }

  /// What tells this machine from others, as long as it runs.
  private static String machine() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException _) {
      return "unknown";
    }
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public void begin() {
    take(() -> {
      removeLeft();
      Files.createFile(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    });
  }

  /// What to do with it.
  @FunctionalInterface
  private interface Step {
    void take() throws IOException;
  }

  private void take(Step step) {
    try {
      step.take();
    } catch (FileAlreadyExistsException e) {
      throw HiddenPart.appeared(label, e);
    } catch (IOException e) {
      String message = "Can't write " + label + ": " + FileTrouble.reason(e) + ".";
      throw new Fault.External(message, e instanceof StoreException told ? told.advice() : "", e);
    }
  }

  private void removeLeft() throws IOException {
    StorePath beginning = (StorePath) file.resolveSibling(prefix());
    Pattern others = Pattern.compile(Pattern.quote(prefix()) + "(\\d{1,18})-[-0-9a-f]+\\.part");
    for (StorePath left : beginning.beginningSo()) {
      Matcher name = others.matcher(String.valueOf(left.getFileName()));
      if (name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
        StoreUpload upload = file.upload(Files.readString(left));
        if (upload != null) {
          upload.abort();
        }
        Files.delete(left);
      }
    }
  }

  @Override
  public void finish() {
    take(() -> {
      StoreWriter begun = StoreWriter.begin(file);
      writer = begun;
      mark.put(begun.id().getBytes(UTF_8), null);
      byte[] block = new byte[BLOCK_BYTES];
      try (InputStream in = Files.newInputStream(path)) {
        for (int count = in.read(block); count >= 0; count = in.read(block)) {
          begun.write(block, count);
        }
      }
      begun.finish();
    });
  }

  @Override
  public String publish(boolean replaces) {
    StoreWriter finished = writer;
    if (finished == null) {
      throw new Fault.Bug("a file that is not finished", null);
    }
    take(() -> {
      finished.complete(replaces ? null : "");
      writer = null;
      Files.delete(mark);
    });
    delete();
    return "";
  }

  @Override
  public void delete() {
    StoreWriter begun = writer;
    take(() -> {
      Files.deleteIfExists(path);
      if (begun != null) {
        begun.abort();
        writer = null;
        Files.delete(mark);
      }
    });
  }
}
