package millrace.connectors.file;

import millrace.connectors.file.document.DocumentReader;
import millrace.connectors.json.DocumentPath;
import millrace.connectors.json.DocumentRows;
import millrace.connectors.json.DocumentSample;
import millrace.connectors.json.FieldChoice;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.RecordFile;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;

/// Files of JSON Lines whose documents become rows of several columns, or several rows each.
final class DocumentSource implements Source {

  private final FileSource files;
  private final DocumentIdentityOptions requested;
  private final Selection selection;

  /// @param files gives the documents as they are, and is closed with the source
  DocumentSource(FileSource files, DocumentIdentityOptions requested, Selection selection) {
    this.files = files;
    this.requested = requested;
    this.selection = selection;
  }

  @Override
  public DescribedSource describe(ColumnRequest columnRequest) {
    FileSource.Described documents = files.describe(new ColumnRequest.Typed());
    SourceDescription described = documents.description();
    FieldChoice.Chosen chosen =
        new FieldChoice(
                described.label(),
                requested.named(),
                selection,
                DocumentSample.of(requested.each(), files.documents()),
                Column.of(DocumentPath.DOCUMENT, new Type.Json()))
            .choose(columnRequest);
    long rows = requested.each().isDocument() ? described.size().rows() : -1;
    SourceDescription description =
        SourceDescription.of(described.label(), Schema.of(chosen.columns()))
            .withConditionColumns(chosen.conditionColumns())
            .withSize(rows, described.size().bytes(), described.size().cuts())
            .withLanes(described.lanes())
            .withOneProcess(described.reading().oneProcess())
            .withReading(readAs(), described.reading().notes(), RecordFile.ROWS);
    return documents.making(
        description,
        (reader, context) ->
            new DocumentReader(
                reader, description.schema(), new DocumentRows(requested.each(), chosen), context));
  }

  private String readAs() {
    return "a JSON document a line"
        + (requested.each().isDocument()
            ? ""
            : "; each element of " + requested.each().name() + " is a row");
  }

  @Override
  public void close() {
    files.close();
  }
}
