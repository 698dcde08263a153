package millrace.connectors.file;

import java.util.List;
import millrace.connectors.file.document.DocumentReader;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.io.document.DocumentRows;
import millrace.io.document.DocumentSample;
import millrace.io.document.Field;
import millrace.io.document.FieldChoice;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SourceIdentity;
import millrace.spi.read.Splits;

/// Files of JSON Lines whose documents become rows of several columns, or several rows each.
final class DocumentSource implements Source {

  private final FileSource files;
  private final DocumentRowOptions asked;
  private final Selection selection;

  /// @param files gives the documents as they are, and is closed with the source
  DocumentSource(FileSource files, DocumentRowOptions asked, Selection selection) {
    this.files = files;
    this.asked = asked;
    this.selection = selection;
  }

  @Override
  public DescribedSource describe(ColumnRequest columnRequest) {
    DescribedSource documents = files.describe(new ColumnRequest.Typed());
    SourceDescription whole = documents.description();
    FieldChoice.Chosen chosen =
        new FieldChoice(
                whole.label(),
                asked.named(),
                selection,
                DocumentSample.of(asked.each(), files.documents()),
                Column.of(Field.DOCUMENT, new Type.Json()))
            .choose(columnRequest);
    long rows = asked.each().isDocument() ? whole.size().rows() : -1;
    SourceDescription description =
        SourceDescription.of(whole.label(), Schema.of(chosen.columns()))
            .withConditionColumns(chosen.conditionColumns())
            .withSize(rows, whole.size().bytes(), whole.size().cuts())
            .withLanes(whole.lanes())
            .withReading(readAs(), whole.reading().notes());
    return new Described(description, documents, chosen);
  }

  private String readAs() {
    return "a JSON document a line"
        + (asked.each().isDocument()
            ? ""
            : "; each element of " + asked.each().name() + " is a row");
  }

  /// The files as they were when they were looked at.
  private final class Described implements DescribedSource {

    private final SourceDescription description;
    private final DescribedSource documents;
    private final FieldChoice.Chosen chosen;

    Described(SourceDescription description, DescribedSource documents, FieldChoice.Chosen chosen) {
      this.description = description;
      this.documents = documents;
      this.chosen = chosen;
    }

    @Override
    public SourceDescription description() {
      return description;
    }

    @Override
    public SourceIdentity identity() {
      return documents.identity();
    }

    @Override
    public String changeSince(String before) {
      return documents.changeSince(before);
    }

    @Override
    public ReadSession open(ReadPlan plan) {
      ReadPlan whole =
          new ReadPlan(
              Selection.ALL,
              new ColumnRequest.Typed(),
              plan.form(),
              plan.fallback(),
              plan.splitBytes(),
              plan.lanes(),
              plan.checksums(),
              plan.taken());
      return new Session(documents.open(whole), description.schema(), chosen);
    }
  }

  /// Rows that are being read.
  private final class Session implements ReadSession {

    private final ReadSession documents;
    private final Schema schema;
    private final FieldChoice.Chosen chosen;

    Session(ReadSession documents, Schema schema, FieldChoice.Chosen chosen) {
      this.documents = documents;
      this.schema = schema;
      this.chosen = chosen;
    }

    @Override
    public Splits splits() {
      return documents.splits();
    }

    @Override
    public Reader reader(ReadContext context) {
      return new DocumentReader(
          documents.reader(context), schema, new DocumentRows(asked.each(), chosen), context);
    }

    @Override
    public List<String> notes() {
      return documents.notes();
    }

    @Override
    public void close() {
      documents.close();
    }
  }

  @Override
  public void close() {
    files.close();
  }
}
