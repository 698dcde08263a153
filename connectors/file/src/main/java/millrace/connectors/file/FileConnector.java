package millrace.connectors.file;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.stream.Stream;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.io.SplitReadCache;
import millrace.connectors.file.output.Outputs;
import millrace.connectors.file.output.TextNames;
import millrace.io.FileEntries;
import millrace.io.store.FileLocation;
import millrace.io.store.StoreOptions;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.Scratch;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableEntry;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// Delimited text files: `orders.csv`, `dir/*.csv.gz`, `-` for standard input and output.
public final class FileConnector implements Connector, Scratch, TableCatalog {

  private final InputStream standardInput;
  private final OutputStream standardOutput;

  /// The connector of the process's own standard streams.
  public FileConnector() {
    this(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
  }

  /// A connector of other standard streams.
  FileConnector(InputStream standardInput, OutputStream standardOutput) {
    this.standardInput = standardInput;
    this.standardOutput = standardOutput;
  }

  @Override
  public String name() {
    return "file";
  }

  @Override
  public List<String> schemes() {
    return List.of("file");
  }

  @Override
  public List<Option> options() {
    return Stream.concat(FileOptionList.ALL.stream(), StoreOptions.ALL.stream()).toList();
  }

  @Override
  public HostLocation place(Endpoint endpoint) {
    return Inputs.place(FileLocation.of(endpoint));
  }

  @Override
  public @Nullable Endpoint scratch(Endpoint endpoint, String name) {
    if (endpoint.location().equals(Inputs.STANDARD)) {
      return null;
    }
    // The other file's name would be refused as well, and it is none that the user knows.
    TextNames.check(endpoint);
    return endpoint.beside(name);
  }

  @Override
  public void discard(Endpoint scratch) {
    new Outputs(FileLocation.of(scratch)).delete();
  }

  @Override
  public List<TableEntry> tables(Endpoint end, OpenContext context) {
    return FileEntries.of(end);
  }

  @Override
  public String writeOptionsKey(Endpoint endpoint) {
    return StoreOptions.without(endpoint.parameters()).toString();
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    DocumentIdentityOptions requested = DocumentIdentityOptions.of(endpoint);
    return requested.areRows()
        ? new DocumentSource(
            new FileSource(endpoint, Selection.ALL, standardInput, SplitReadCache::new),
            requested,
            selection)
        : new FileSource(endpoint, selection, standardInput, SplitReadCache::new);
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    return new FileTarget(endpoint, writeOptions, standardOutput);
  }
}
