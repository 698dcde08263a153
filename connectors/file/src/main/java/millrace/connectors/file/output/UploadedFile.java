package millrace.connectors.file.output;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.function.Consumer;
import millrace.io.store.StorePath;
import millrace.io.store.StoreWriter;
import org.jspecify.annotations.Nullable;

/// A file that is written in parts to a store.
final class UploadedFile implements StagedFile {

  /// What to do with its writer.
  @FunctionalInterface
  private interface Step {
    void take() throws IOException;
  }

  private final StorePath path;
  private final StoreWriter writer;
  private final Consumer<UploadedFile> finished;

  /// Whether it has its name, or was removed.
  private boolean isDone;

  /// @param finished gets to know that the store has all of it
  UploadedFile(StorePath path, StoreWriter writer, Consumer<UploadedFile> finished) {
    this.path = path;
    this.writer = writer;
    this.finished = finished;
  }

  private void take(Step step) {
    try {
      step.take();
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// By what another process finds it again.
  String id() {
    return writer.id();
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public Path staged() {
    return path;
  }

  @Override
  public void write(byte[] bytes, int length) {
    take(() -> writer.write(bytes, length));
  }

  @Override
  public long length() {
    return writer.length();
  }

  @Override
  public void mark() {
    take(writer::mark);
  }

  @Override
  public void forgetMarks() {
    writer.forgetMarks();
  }

  @Override
  public void cutTo(long bytes) {
    take(() -> writer.cutTo(bytes));
  }

  @Override
  public void finish() {
    take(writer::finish);
    finished.accept(this);
  }

  @Override
  public boolean takesMore() {
    return writer.takesMore();
  }

  @Override
  public void force() {
    writer.force();
  }

  @Override
  public boolean isDurable(long length) {
    return writer.isDurable(length);
  }

  @Override
  public @Nullable String content() {
    return null;
  }

  /// @return what the store knows it by
  /// @throws millrace.fault.Fault.User if there is a file that may not go
  String publish(boolean replaces) {
    try {
      String identity = writer.complete(replaces ? null : "");
      isDone = true;
      return identity;
    } catch (FileAlreadyExistsException e) {
      throw HiddenFiles.appeared(path, e);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  @Override
  public void close() {
    writer.close();
  }

  @Override
  public void delete() {
    if (!isDone) {
      take(writer::abort);
      isDone = true;
    }
  }
}
