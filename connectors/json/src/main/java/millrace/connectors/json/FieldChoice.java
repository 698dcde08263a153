package millrace.connectors.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.ColumnsOption.Named;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import org.jspecify.annotations.Nullable;

/// Settles which columns documents become: by the user, the target and a sample.
public final class FieldChoice {

  /// The option that names the fields.
  public static final String OPTION = "fields";

  private final String label;
  private final List<Named> named;
  private final Selection selection;
  private final DocumentSample sample;
  private final Column document;

  /// What was settled.
  ///
  /// @param fields the columns that are read
  /// @param unexpected fields that no column takes, which later documents may have
  /// @param conditionColumns how many of the columns, the last ones, are for the condition alone
  public record Chosen(
      List<DocumentPath> fields, List<DocumentPath.Member> unexpected, int conditionColumns) {

    public Chosen {
      fields = List.copyOf(fields);
      unexpected = List.copyOf(unexpected);
    }

    /// The columns.
    public List<Column> columns() {
      return fields.stream().map(DocumentPath::column).toList();
    }
  }

  /// @param label the source, for errors
  /// @param named the fields that the user names; empty for whole documents
  /// @param document the column of whole documents
  public FieldChoice(
      String label,
      List<Named> named,
      Selection selection,
      DocumentSample sample,
      Column document) {
    this.label = label;
    this.named = List.copyOf(named);
    this.selection = selection;
    this.sample = sample;
    this.document = document;
  }

  /// The columns for what the target would like.
  ///
  /// @throws Fault.User if a field is not in the sample and nobody says its type
  public Chosen choose(ColumnRequest columnRequest) {
    Map<String, @Nullable Type> requested = requested(columnRequest);
    Selection chosen = selection.withColumns(names(requested));
    List<DocumentPath> fields =
        chosen.columnsToRead().stream().map(name -> field(name, requested)).toList();
    return new Chosen(fields, unexpected(fields, columnRequest), chosen.conditionColumns());
  }

  /// The columns that are there besides the document as a whole, of a type or as sampled.
  private Map<String, @Nullable Type> requested(ColumnRequest columnRequest) {
    Map<String, @Nullable Type> requested = new LinkedHashMap<>();
    named.forEach(each -> requested.put(each.name(), each.type()));
    switch (columnRequest) {
      case ColumnRequest.Like(Schema like, boolean byPosition) ->
          likeTarget(requested, byPosition ? underSelectedNames(like) : like);
      case ColumnRequest.Typed(Map<String, Type> declared) -> declare(requested, declared);
      case ColumnRequest.Untyped(List<String> _, Map<String, Type> declared) ->
          declare(requested, declared);
    }
    if (!named.isEmpty() && sample.each().isDocument()) {
      requested.putIfAbsent(DocumentPath.DOCUMENT, null);
    }
    return requested;
  }

  private static void declare(Map<String, @Nullable Type> requested, Map<String, Type> declared) {
    requested.replaceAll((name, type) ->
        type == null && !name.equals(DocumentPath.DOCUMENT)
            ? ColumnRequest.declared(name, declared)
            : type);
  }

  /// The columns that go on: unless it is said which, those that are there, or the documents.
  private List<String> names(Map<String, @Nullable Type> requested) {
    if (!selection.columns().isEmpty()) {
      return selection.columns();
    }
    return requested.isEmpty() ? List.of(DocumentPath.DOCUMENT) : List.copyOf(requested.keySet());
  }

  /// A target's columns under the names of those that are selected for them.
  private Schema underSelectedNames(Schema like) {
    List<String> names = selection.columns();
    if (names.isEmpty()) {
      return like;
    }
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < Math.min(names.size(), like.width()); i++) {
      columns.add(Column.of(names.get(i), like.column(i).type()));
    }
    return Schema.of(columns);
  }

  /// A target's columns whose names documents have, or the user has said; if there are none, its
  /// one column of json is for the documents.
  private void likeTarget(Map<String, @Nullable Type> requested, Schema like) {
    for (Column column : like.columns()) {
      String name = column.name();
      boolean isSeen =
          !sample.each().isNumber(name) && sample.see(sample.each().member(column, true)).any();
      boolean isGiven =
          selection.columns().contains(name)
              || (requested.containsKey(name) && requested.get(name) == null);
      if (isSeen || isGiven) {
        // Arrays and objects are documents, of which its lists and structs are made.
        requested.put(name, column.type().nested() == null ? column.type() : new Type.Json());
      } else if (name.equals(DocumentPath.DOCUMENT)
          && (named.isEmpty() || sample.each().isDocument())) {
        requested.put(DocumentPath.DOCUMENT, null);
      }
    }
  }

  /// What would be lost of later documents: a target's columns that the sample has nothing for, if
  /// no column takes the rest.
  private List<DocumentPath.Member> unexpected(
      List<DocumentPath> fields, ColumnRequest columnRequest) {
    boolean loses =
        selection.columns().isEmpty()
            && fields.stream().allMatch(field -> field instanceof DocumentPath.Member);
    if (!loses || !(columnRequest instanceof ColumnRequest.Like(Schema like, boolean _))) {
      return List.of();
    }
    List<String> taken = fields.stream().map(field -> field.column().name()).toList();
    return like.columns().stream()
        .filter(column -> !taken.contains(column.name()))
        .map(column -> sample.each().member(column, false))
        .filter(member -> !member.path().isEmpty())
        .toList();
  }

  private DocumentPath field(String name, Map<String, @Nullable Type> requested) {
    Each each = sample.each();
    Type type = requested.get(name);
    if (name.equals(DocumentPath.DOCUMENT) && type == null) {
      boolean isDocument = named.isEmpty() && requested.size() <= 1;
      return isDocument
          ? new DocumentPath.Entire(document)
          : new DocumentPath.Rest(Column.of(name, document.type()), topLevel(requested.keySet()));
    }
    if (each.isNumber(name)) {
      return new DocumentPath.Number(new Column(name, new Type.Int(32), false, null));
    }
    DocumentSample.Seen seen = sample.see(each.member(Column.of(name, new Type.Json()), true));
    if (type == null && !seen.any() && !requested.containsKey(name)) {
      throw new Fault.User(
          label + " has no field '" + name + "' in its first documents.",
          (Nearest.hint(name, List.copyOf(requested.keySet()))
                  + " Say of what type it is: fields="
                  + name
                  + ":text"
                  + (requested.isEmpty() ? ", or choose whole documents with --filter." : "."))
              .strip());
    }
    return each.member(Column.of(name, type == null ? seen.type() : type), type == null);
  }

  /// Those of the names that are members of a row's document, or element, themselves.
  private List<byte[]> topLevel(Set<String> names) {
    String before = sample.each().isDocument() ? "" : sample.each().name() + ".";
    return names.stream()
        .filter(name -> name.startsWith(before) && !name.equals(DocumentPath.DOCUMENT))
        .map(name -> name.substring(before.length()))
        .filter(name -> name.indexOf('.') < 0)
        .map(name -> name.getBytes(StandardCharsets.UTF_8))
        .toList();
  }
}
