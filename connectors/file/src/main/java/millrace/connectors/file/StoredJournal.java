package millrace.connectors.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
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

  /// Whether something stands in the lines that the store has not.
  private boolean isChanged;

  /// What the store was given, and may or may not have.
  private byte @Nullable [] inDoubt;

  private volatile boolean isTaken;

  StoredJournal(StorePath path) {
    this.path = path;
  }

  @Override
  public synchronized boolean open() {
    try {
      StorePath.Content found = path.content();
      lines.reset();
      lines.writeBytes(found.bytes());
      identity = found.identity();
      isChanged = false;
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
      isChanged = true;
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

  /// What is known of uploads stays, since they may still be there.
  @Override
  public synchronized void cut(long length) {
    byte[] all = lines.toByteArray();
    int end = Math.toIntExact(length);
    lines.reset();
    lines.write(all, 0, end);
    byte[] rest = Arrays.copyOfRange(all, end, all.length);
    JournalContent.parse(path, rest).uploads().stream()
        .map(JournalContent::spell)
        .forEach(this::append);
    isChanged = true;
  }

  @Override
  public synchronized void forgetUploads() {
    byte[] all = lines.toByteArray();
    lines.reset();
    lines.writeBytes(JournalContent.withoutUploads(all));
    isChanged = true;
  }

  @Override
  public synchronized void claim() {
    if (identity != null && !identity.isEmpty()) {
      append(JournalContent.claim());
      force();
    }
  }

  /// That a run begins is written at once: what is removed from then on is none of another run's.
  @Override
  public void append(Entry entry) {
    append(JournalText.spell(entry));
    if (entry instanceof Entry.Begun) {
      force();
    }
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
    isChanged = true;
  }

  @Override
  public synchronized void force() {
    String last = identity;
    if (last == null) {
      throw new Fault.Bug("the journal is not open", null);
    }
    if (!isChanged) {
      return;
    }
    byte[] content = lines.toByteArray();
    try {
      identity = put(content, last);
      isChanged = false;
      inDoubt = null;
    } catch (FileAlreadyExistsException e) {
      isTaken = true;
      if (last.isEmpty()) {
        throw JournalFile.underWay();
      }
      throw new Fault.External(
          "Another process has taken over this copy: " + path + " is not as it was left.",
          "Wait for that one.",
          e);
    } catch (IOException e) {
      inDoubt = content;
      throw Outputs.unwritable(path, e);
    }
  }

  /// What this process has written, and was not told of, is as it was left too.
  private String put(byte[] content, String last) throws IOException {
    try {
      return path.put(content, last);
    } catch (FileAlreadyExistsException e) {
      StorePath.Content there = there();
      if (there != null && Arrays.equals(there.bytes(), content)) {
        return there.identity();
      }
      if (there != null && Arrays.equals(there.bytes(), inDoubt)) {
        return path.put(content, there.identity());
      }
      throw e;
    }
  }

  private StorePath.@Nullable Content there() throws IOException {
    try {
      return path.content();
    } catch (NoSuchFileException _) {
      return null;
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
