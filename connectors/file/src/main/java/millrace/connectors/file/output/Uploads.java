package millrace.connectors.file.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import millrace.fault.Fault;
import millrace.io.store.StorePath;
import millrace.io.store.StoreUpload;
import millrace.io.store.StoreWriter;
import org.jspecify.annotations.Nullable;

/// Files of a store, which are written in parts that nobody sees. What tells one upload from
/// another is its id, so those are written down before the first part is sent: another process
/// could not know otherwise which are of this job.
public final class Uploads implements Staging {

  private final Outputs outputs;
  private final HiddenFiles marks;

  /// In the order in which they were begun.
  private final List<UploadRecord> known;

  private final Consumer<UploadRecord> journal;
  private final Map<Path, UploadedFile> files = new ConcurrentHashMap<>();
  private final Set<String> published = ConcurrentHashMap.newKeySet();
  private volatile boolean hasNumbers;

  /// @param mark tells files of this job from those of others
  /// @param known by earlier runs, in order
  /// @param journal writes one down at once if it has no length yet, else with the next receipt
  public Uploads(
      Outputs outputs, String mark, List<UploadRecord> known, Consumer<UploadRecord> journal) {
    this.outputs = outputs;
    marks = new HiddenFiles(outputs, mark);
    this.known = new CopyOnWriteArrayList<>(known);
    this.journal = journal;
  }

  @Override
  public Outputs outputs() {
    return outputs;
  }

  @Override
  public StagedFile begin(Path file) {
    StorePath path = (StorePath) file;
    try {
      UploadedFile begun = new UploadedFile(path, StoreWriter.begin(path), this::finished);
      try {
        journal.accept(new UploadRecord(path.toString(), begun.id(), -1));
      } catch (Fault e) {
        begun.delete();
        throw e;
      }
      files.put(path, begun);
      hasNumbers |= !path.equals(outputs.path());
      return begun;
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// The store has all of it.
  private void finished(UploadedFile file) {
    journal.accept(new UploadRecord(file.path().toString(), file.id(), file.length()));
  }

  @Override
  public StagedFile resume(Path file, long length) {
    StorePath path = (StorePath) file;
    UploadRecord last = last(path);
    long stays = length < 0 && last != null ? last.length() : length;
    if (stays == 0) {
      return begin(file);
    }
    try {
      @Nullable StoreWriter writer =
          last == null || stays < 0 ? null : StoreWriter.resume(path, last.id(), stays);
      if (writer == null) {
        throw StagedFile.gone(file);
      }
      UploadedFile resumed = new UploadedFile(path, writer, this::finished);
      files.put(path, resumed);
      return resumed;
    } catch (IOException e) {
      throw Outputs.unwritable(file, e);
    }
  }

  private @Nullable UploadRecord last(Path file) {
    return known.stream()
        .filter(each -> each.file().equals(file.toString()))
        .reduce((_, later) -> later)
        .orElse(null);
  }

  @Override
  public boolean holds(Path file) {
    return files.containsKey(file) || waiting(file) != null;
  }

  /// The upload of an earlier run, if the store has it still.
  private @Nullable StoreUpload waiting(Path file) {
    UploadRecord last = last(file);
    try {
      return last == null ? null : ((StorePath) file).upload(last.id());
    } catch (IOException e) {
      throw Outputs.unwritable(file, e);
    }
  }

  @Override
  public String publish(Path file, long length, boolean replaces) {
    UploadedFile written = files.get(file);
    if (written != null) {
      String identity = written.publish(replaces);
      files.remove(file);
      published.add(written.id());
      journal.accept(new UploadRecord(file.toString(), written.id(), written.length(), identity));
      return "";
    }
    StoreUpload upload = waiting(file);
    try {
      if (upload == null || !upload.complete(length, replaces ? null : "")) {
        throw StagedFile.gone(file);
      }
      published.add(upload.id());
      return "";
    } catch (FileAlreadyExistsException e) {
      throw HiddenFiles.appeared(file, e);
    } catch (IOException e) {
      throw Outputs.unwritable(file, e);
    }
  }

  /// How files have changed that had got their names, as a sentence without its end; empty if they
  /// have not.
  public static String change(Outputs outputs, List<UploadRecord> known) {
    for (UploadRecord each : known) {
      if (each.identity() != null
          && !each.identity().equals(identity(outputs.named(each.file())))) {
        return each.file() + " does not hold any more what it had written";
      }
    }
    return "";
  }

  private static @Nullable String identity(Path file) {
    try {
      StorePath now = ((StorePath) file).anew();
      return now.isFile() ? now.identity() : null;
    } catch (IOException e) {
      throw Outputs.unwritable(file, e);
    }
  }

  /// Writes down which upload this is, if no journal does.
  private void mark(Path file, String what, String id) throws IOException {
    StorePath mark = (StorePath) marks.staged(file.resolveSibling(file.getFileName() + what));
    mark.put(id.getBytes(UTF_8), null);
  }

  @Override
  public StagedFile attempt(Path file, long before) {
    if (before >= 0) {
      throw new Fault.User(
          "The copy was begun on one machine, which has uploaded a part of " + file + ".",
          "Go on with it on one machine, or begin again with --fresh.");
    }
    StorePath path = (StorePath) file;
    try {
      UploadedFile begun = new UploadedFile(path, StoreWriter.begin(path), _ -> {});
      mark(file, "." + UUID.randomUUID(), begun.id());
      return begun;
    } catch (IOException e) {
      throw Outputs.unwritable(file, e);
    }
  }

  @Override
  public void handOver(StagedFile attempt, BooleanSupplier hasEnded) {
    UploadedFile written = (UploadedFile) attempt;
    written.finish();
    try {
      mark(written.path(), of(written.length()) + written.id().hashCode(), written.id());
    } catch (IOException e) {
      throw Outputs.unwritable(written.path(), e);
    }
    if (hasEnded.getAsBoolean()) {
      written.delete();
    }
  }

  private static String of(long length) {
    return ".of-" + length + ".";
  }

  @Override
  public boolean take(Path file, long length) {
    StorePath first = (StorePath) file.resolveSibling("." + file.getFileName() + of(length));
    try {
      for (StorePath each : first.beginningSo()) {
        if (each.toString().endsWith(marks.ending())) {
          UploadRecord taken = new UploadRecord(file.toString(), Files.readString(each), length);
          journal.accept(taken);
          known.add(taken);
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw Outputs.unwritable(file, e);
    }
  }

  @Override
  public void append(Path file, long at) {
    throw new Fault.Bug("nothing is added to a file of a store", null);
  }

  @Override
  public void takeBack(Path file, long at) {
    append(file, at);
  }

  @Override
  public void remove(Collection<StagedFile> but) {
    Set<String> stay = new HashSet<>(published);
    but.forEach(each -> stay.add(each instanceof UploadedFile file ? file.id() : ""));
    List<UploadedFile> begun = new ArrayList<>(files.values());
    begun.removeIf(each -> stay.contains(each.id()));
    begun.forEach(StagedFile::delete);
    files.values().removeAll(begun);
    begun.forEach(each -> stay.add(each.id()));
    try {
      Set<String> others = new HashSet<>();
      known.forEach(each -> others.add(each.id()));
      List<Path> ofOthers =
          but.isEmpty() && isNumbered() ? outputs.staged(marks.ending()) : List.of();
      for (Path mark : ofOthers) {
        others.add(Files.readString(mark));
        Files.delete(mark);
      }
      others.removeAll(stay);
      if (!others.isEmpty()) {
        abort(others);
      }
    } catch (IOException e) {
      throw Outputs.unwritable(outputs.path(), e);
    }
  }

  /// Whether there are files with numbers: other processes write no others, and can't have begun if
  /// this one, or one before it, has not.
  private boolean isNumbered() {
    String one = outputs.path().toString();
    return hasNumbers || known.stream().anyMatch(each -> !each.file().equals(one));
  }

  private void abort(Set<String> ids) throws IOException {
    for (StoreUpload each : ((StorePath) outputs.beginning()).uploadsBeginningSo()) {
      if (ids.contains(each.id())) {
        each.abort();
      }
    }
  }
}
