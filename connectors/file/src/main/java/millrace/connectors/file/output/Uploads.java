package millrace.connectors.file.output;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import millrace.fault.Fault;
import millrace.io.store.StorePath;
import millrace.io.store.StoreUpload;
import millrace.io.store.StoreWriter;
import org.jspecify.annotations.Nullable;

/// Files of a store, which are written in parts that nobody sees. What tells one upload from
/// another is its id, so those are written down before the first part is sent: another process
/// could not know otherwise which are of this job.
public final class Uploads implements Staging {

  /// What is known of an upload.
  ///
  /// @param file its name
  /// @param id the store's name for it
  /// @param length of the file, once it is finished; -1 before
  public record Known(String file, String id, long length) {}

  private final Outputs outputs;
  private final List<Known> known;
  private final Consumer<Known> journal;
  private final Map<Path, UploadedFile> files = new ConcurrentHashMap<>();

  /// @param known by earlier runs, in order
  /// @param journal writes one down at once if it has no length yet, else with the next receipt
  public Uploads(Outputs outputs, List<Known> known, Consumer<Known> journal) {
    this.outputs = outputs;
    this.known = List.copyOf(known);
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
      UploadedFile begun = new UploadedFile(path, StoreWriter.begin(path), this);
      try {
        journal.accept(new Known(path.toString(), begun.id(), -1));
      } catch (Fault e) {
        begun.delete();
        throw e;
      }
      files.put(path, begun);
      return begun;
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// The store has all of it.
  void finished(UploadedFile file) {
    journal.accept(new Known(file.path().toString(), file.id(), file.length()));
  }

  @Override
  public StagedFile resume(Path file, long length) {
    StorePath path = (StorePath) file;
    Known last = last(path);
    long stays = length < 0 && last != null ? last.length : length;
    if (stays == 0) {
      return begin(file);
    }
    try {
      @Nullable StoreWriter writer =
          last == null || stays < 0 ? null : StoreWriter.resume(path, last.id, stays);
      if (writer == null) {
        throw StagedFile.gone(file);
      }
      UploadedFile resumed = new UploadedFile(path, writer, this);
      files.put(path, resumed);
      return resumed;
    } catch (IOException e) {
      throw Outputs.unwritable(file, e);
    }
  }

  private @Nullable Known last(Path file) {
    return known.stream()
        .filter(each -> each.file.equals(file.toString()))
        .reduce((_, later) -> later)
        .orElse(null);
  }

  @Override
  public boolean holds(Path file) {
    return files.containsKey(file) || waiting(file) != null;
  }

  /// The upload of an earlier run, if the store has it still.
  private @Nullable StoreUpload waiting(Path file) {
    Known last = last(file);
    if (last == null) {
      return null;
    }
    try {
      for (StoreUpload each : ((StorePath) file).uploads()) {
        if (each.id().equals(last.id)) {
          return each;
        }
      }
      return null;
    } catch (IOException e) {
      throw Outputs.unwritable(file, e);
    }
  }

  @Override
  public String publish(Path file, long length, boolean replaces) {
    UploadedFile written = files.get(file);
    if (written != null) {
      written.publish(replaces);
      files.remove(file);
      return "";
    }
    StoreUpload upload = waiting(file);
    try {
      if (upload == null || !upload.complete(length, replaces ? null : "")) {
        throw StagedFile.gone(file);
      }
      return "";
    } catch (FileAlreadyExistsException e) {
      throw HiddenFiles.appeared(file, e);
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
    Set<String> retained =
        but.stream()
            .map(each -> each instanceof UploadedFile file ? file.id() : "")
            .collect(Collectors.toSet());
    List<UploadedFile> begun = new ArrayList<>(files.values());
    begun.removeIf(each -> retained.contains(each.id()));
    begun.forEach(StagedFile::delete);
    files.values().removeAll(begun);
    begun.forEach(each -> retained.add(each.id()));
    for (Known each : known) {
      if (retained.add(each.id)) {
        abort(each);
      }
    }
  }

  private void abort(Known upload) {
    Path file = outputs.named(upload.file);
    try {
      for (StoreUpload each : ((StorePath) file).uploads()) {
        if (each.id().equals(upload.id)) {
          each.abort();
        }
      }
    } catch (IOException e) {
      throw Outputs.unwritable(file, e);
    }
  }
}
