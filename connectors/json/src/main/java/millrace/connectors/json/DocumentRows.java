package millrace.connectors.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.connectors.json.FieldReader.Refusal;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Vector;
import org.jspecify.annotations.Nullable;

/// Gives the rows of documents, one after the other: a row for each document, or one for each
/// element of an array in it. One thread uses it; a reader calls {@link #open} and then {@link
/// #fill} as long as there {@link #isOpen is} a row.
public final class DocumentRows {

  private static final byte[] NOTHING = {};

  private final Each each;
  private final List<DocumentPath> fields;
  private final FieldReader ofDocument;
  private final FieldReader ofElement;
  private final int[] documentColumns;
  private final int[] elementColumns;
  private final ElementWalk walk;
  private byte[] bytes = NOTHING;
  private int start;
  private int end;
  private boolean open;

  /// Whether the document's own values are wrong, so that none of its elements makes a row.
  private boolean refused;

  /// The row that the document's own values stand in; no batch if they have to be read.
  private @Nullable Columns filled;

  private int filledRow;

  /// @param each what is a row
  /// @param chosen its columns
  public DocumentRows(Each each, FieldChoice.Chosen chosen) {
    this.each = each;
    fields = chosen.fields();
    walk = new ElementWalk(each);
    documentColumns = columns(false);
    elementColumns = columns(true);
    List<DocumentPath.Member> unexpected = chosen.unexpected();
    boolean isDocument = each.isDocument();
    ofDocument =
        new FieldReader(
            of(documentColumns),
            documentColumns,
            unexpected.stream().filter(member -> !member.ofElement()).toList(),
            isDocument);
    ofElement =
        new FieldReader(
            of(elementColumns),
            elementColumns,
            unexpected.stream().filter(DocumentPath.Member::ofElement).toList(),
            false);
  }

  private int[] columns(boolean element) {
    List<Integer> columns = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      boolean isOfElement =
          switch (fields.get(i)) {
            case DocumentPath.Member member -> member.ofElement();
            case DocumentPath.Entire _, DocumentPath.Rest _, DocumentPath.Number _ ->
                !each.isDocument();
          };
      if (isOfElement == element) {
        columns.add(i);
      }
    }
    return columns.stream().mapToInt(Integer::intValue).toArray();
  }

  private List<DocumentPath> of(int[] columns) {
    return Arrays.stream(columns).mapToObj(fields::get).toList();
  }

  /// Begins with a document, whose bytes are known to be JSON and stay as they are until its rows
  /// have been filled.
  ///
  /// @return why it has no rows at all, or null
  public @Nullable Refusal open(byte[] document, int from, int to) {
    bytes = document;
    start = Json.space(document, from, to);
    end = to;
    filled = null;
    refused = false;
    if (each.isDocument()) {
      open = true;
      return null;
    }
    String wrong = walk.open(document, start, to);
    open = wrong.isEmpty() && walk.next();
    return wrong.isEmpty() ? null : new Refusal(each.name(), wrong);
  }

  /// Whether the document has another row.
  public boolean isOpen() {
    return open;
  }

  /// Fills the next row; null if all went well, else it is undefined and is filled again by the
  /// next call.
  public @Nullable Refusal fill(Columns batch, int row) {
    Refusal refusal = document(batch, row);
    if (refusal == null && !each.isDocument()) {
      refusal = ofElement.readElement(batch, row, walk.number(), bytes, walk.start(), walk.end());
    }
    return refusal;
  }

  /// Goes on behind the row that was filled last, or was refused.
  public void advance() {
    open = !each.isDocument() && !refused && walk.next();
  }

  /// The document has no more rows, whatever is left of it.
  public void close() {
    open = false;
  }

  /// The values of the row that was refused last, as far as it has them; null for a missing one.
  public List<@Nullable String> texts() {
    @Nullable String[] texts = new @Nullable String[fields.size()];
    place(ofDocument.texts(bytes, start, end), documentColumns, texts);
    if (!each.isDocument()) {
      place(ofElement.texts(bytes, walk.start(), walk.end()), elementColumns, texts);
    }
    return Arrays.asList(texts);
  }

  /// The values of a document that has no rows: what its elements would have is missing, but for a
  /// column of whole elements, which has the document.
  public List<@Nullable String> documentTexts() {
    @Nullable String[] texts = new @Nullable String[fields.size()];
    place(ofDocument.texts(bytes, start, end), documentColumns, texts);
    for (int column : elementColumns) {
      if (fields.get(column) instanceof DocumentPath.Entire) {
        texts[column] = new String(bytes, start, end - start, StandardCharsets.UTF_8);
      }
    }
    return Arrays.asList(texts);
  }

  private static void place(List<@Nullable String> from, int[] columns, @Nullable String[] into) {
    for (int i = 0; i < columns.length; i++) {
      into[columns[i]] = from.get(i);
    }
  }

  /// What the document itself has is read once, and stands in each of its rows.
  private @Nullable Refusal document(Columns batch, int row) {
    if (filled == batch && filledRow != row) {
      for (int column : documentColumns) {
        repeat(batch.vector(column), filledRow, row);
      }
    } else if (filled != batch) {
      Refusal refusal = ofDocument.read(batch, row, bytes, start, end);
      if (refusal != null) {
        filled = null;
        refused = true;
        return refusal;
      }
      filled = batch;
    }
    filledRow = row;
    return null;
  }

  private static void repeat(Vector vector, int from, int to) {
    vector.nulls[to] = vector.nulls[from];
    switch (vector) {
      case LongVector longs -> longs.values[to] = longs.values[from];
      case DoubleVector doubles -> doubles.values[to] = doubles.values[from];
      case BytesVector texts -> {
        texts.starts[to] = texts.starts[from];
        texts.ends[to] = texts.ends[from];
      }
    }
  }
}
