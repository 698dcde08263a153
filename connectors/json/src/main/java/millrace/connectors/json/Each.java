package millrace.connectors.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.data.Column;

/// Whether a document is one row, or each element of an array in it is one.
///
/// @param name of the array as the user says it, dots for members of members; empty if documents
///   are the rows
public record Each(String name) {

  /// Documents are the rows.
  public static final Each DOCUMENT = new Each("");

  /// What stands behind the array's name for the number of the element, from 1.
  private static final String NUMBER = ".#";

  /// Whether documents are the rows.
  public boolean isDocument() {
    return name.isEmpty();
  }

  /// The names that lead to the array.
  public List<byte[]> path() {
    return path(name);
  }

  /// Whether a name means the number of the element.
  public boolean isNumber(String field) {
    return !isDocument() && field.equals(name + NUMBER);
  }

  /// Whether a name means the element or something in it.
  boolean isOfElement(String field) {
    return !isDocument() && (field.equals(name) || field.startsWith(name + "."));
  }

  /// The member that a column's name means.
  ///
  /// @param guessed whether the column's type is a guess by sample
  public DocumentPath.Member member(Column column, boolean guessed) {
    String field = column.name();
    if (!isOfElement(field)) {
      return new DocumentPath.Member(column, path(field), guessed, false);
    }
    List<byte[]> within = field.equals(name) ? List.of() : path(field.substring(name.length() + 1));
    return new DocumentPath.Member(column, within, guessed, true);
  }

  private static List<byte[]> path(String field) {
    List<byte[]> path = new ArrayList<>();
    for (String part : field.split("\\.", -1)) {
      path.add(part.getBytes(StandardCharsets.UTF_8));
    }
    return path;
  }
}
