package millrace.connectors.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.output.Outputs;
import millrace.connectors.file.output.UploadRecord;
import millrace.fault.Fault;
import millrace.io.store.StorePath;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournalText;
import org.jspecify.annotations.Nullable;

/// A journal in a store. Nothing can be added to a file there, so all of it is written each time,
/// and only if it is as this process has left it: another process that has written to it meanwhile
/// has taken the copy over, and this one ends. Nobody can tell if it would be under way.
///
/// Any thread.
final class StoredJournal implements JournalFile {

  /// Of the bytes that are sent, it may be one of so many.
  private static final int SHARE = 64;

  private final StorePath path;
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

  /// What the store knows it by; empty if it is not there. Null while it is not open.
  private @Nullable String identity;

  private volatile boolean isTaken;

  StoredJournal(StorePath path) {
    this.path = path;
  }

  @Override
  public synchronized boolean open() {
    StorePath now = path.anew();
    try {
      if (!now.isFile()) {
        return false;
      }
      String found = now.identity();
      byte[] content = Files.readAllBytes(now);
      lines.reset();
      lines.writeBytes(content);
      identity = found;
      return true;
    } catch (NoSuchFileException _) {
      return false;
    } catch (IOException e) {
      throw Inputs.unreadable(path.toString(), e);
    }
  }

  /// It is made with the first that is written.
  @Override
  public synchronized void create(@Nullable Path model) {
    if (!isOpen() && !open()) {
      lines.reset();
      identity = "";
    }
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public synchronized boolean isOpen() {
    return identity != null;
  }

  @Override
  public synchronized JournalContent read() {
    return JournalContent.parse(path, lines.toByteArray());
  }

  @Override
  public synchronized void cut(long length) {
    byte[] all = lines.toByteArray();
    lines.reset();
    lines.write(all, 0, Math.toIntExact(length));
  }

  @Override
  public void append(Entry entry) {
    append(JournalText.spell(entry));
  }

  /// One that is begun is written at once, for no other process would know of it.
  @Override
  public void append(UploadRecord upload) {
    append(JournalContent.spell(upload));
    if (upload.length() < 0) {
      force();
    }
  }

  private synchronized void append(String line) {
    lines.writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public synchronized void force() {
    if (identity == null) {
      throw new Fault.Bug("the journal is not open", null);
    }
    try {
      identity = path.put(lines.toByteArray(), identity);
    } catch (FileAlreadyExistsException e) {
      isTaken = true;
      if (identity.isEmpty()) {
        throw JournalFile.underWay();
      }
      throw new Fault.External(
          "Another process has taken over this copy: " + path + " is not as it was left.",
          "Wait for that one.",
          e);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  @Override
  public boolean isTaken() {
    return isTaken;
  }

  @Override
  public synchronized long bytesBetween() {
    return (long) SHARE * lines.size();
  }

  @Override
  public synchronized void delete() {
    if (identity != null && !identity.isEmpty() && !isTaken) {
      deleteIfFree();
    }
    close();
  }

  @Override
  public void deleteIfFree() {
    try {
      Files.delete(path);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  @Override
  public synchronized void close() {
    identity = null;
    lines.reset();
  }
}
