package millrace.testkit.forwarding;

import java.util.List;
import millrace.data.Form;
import millrace.spi.Counters;
import millrace.spi.journal.Receipt;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.RecordFile;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;

/// Another source in all it does. A test checks that no method is left out.
public class ForwardingSource implements Source {

  private final Source inner;

  public ForwardingSource(Source inner) {
    this.inner = inner;
  }

  @Override
  public SourceDescription describe(ColumnRequest columnRequest) {
    return inner.describe(columnRequest);
  }

  @Override
  public double cost(Form form) {
    return inner.cost(form);
  }

  @Override
  public String endpointIdentity() {
    return inner.endpointIdentity();
  }

  @Override
  public @Nullable String identity() {
    return inner.identity();
  }

  @Override
  public String identityWhyNot() {
    return inner.identityWhyNot();
  }

  @Override
  public boolean checksums() {
    return inner.checksums();
  }

  @Override
  public void allRead() {
    inner.allRead();
  }

  @Override
  public @Nullable Counters counters() {
    return inner.counters();
  }

  @Override
  public String changeSince(String identity) {
    return inner.changeSince(identity);
  }

  @Override
  public List<String> origins() {
    return inner.origins();
  }

  @Override
  public void taken(List<Receipt> receipts) {
    inner.taken(receipts);
  }

  @Override
  public RecordFile recordFile() {
    return inner.recordFile();
  }

  @Override
  public Splits splits(long splitBytes, int lanes) {
    return inner.splits(splitBytes, lanes);
  }

  @Override
  public Reader reader(Form form, ReadContext context) {
    return inner.reader(form, context);
  }

  @Override
  public List<String> notes() {
    return inner.notes();
  }

  @Override
  public void cancel() {
    inner.cancel();
  }

  @Override
  public @Nullable String waitsFor() {
    return inner.waitsFor();
  }

  @Override
  public void close() {
    inner.close();
  }
}
