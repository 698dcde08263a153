package millrace.connectors.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.data.Type;

/// The first documents of a source, and the elements in them if those are the rows.
///
/// @param each what is a row
/// @param documents in UTF-8
/// @param elements in UTF-8; none if documents are the rows
public record DocumentSample(Each each, List<byte[]> documents, List<byte[]> elements) {

  public DocumentSample {
    documents = List.copyOf(documents);
    elements = List.copyOf(elements);
  }

  /// Looks for the elements in documents.
  public static DocumentSample of(Each each, List<byte[]> documents) {
    List<byte[]> elements = new ArrayList<>();
    ElementWalk walk = new ElementWalk(each);
    for (byte[] document : documents) {
      if (!each.isDocument() && walk.open(document, 0, document.length).isEmpty()) {
        while (walk.next()) {
          elements.add(Arrays.copyOfRange(document, walk.start(), walk.end()));
        }
      }
    }
    return new DocumentSample(each, documents, elements);
  }

  /// What a member holds.
  Seen see(DocumentPath.Member member) {
    FieldTypes types = new FieldTypes(member.path());
    (member.ofElement() ? elements : documents).forEach(one -> types.see(one, 0, one.length));
    return new Seen(types.seen(), types.type());
  }

  /// @param any whether any has it
  /// @param type the type that holds all values that were seen
  record Seen(boolean any, Type type) {}
}
