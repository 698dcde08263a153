package millrace.connectors.json;

import java.util.List;
import millrace.data.Column;

/// What of a document, or of an element of an array in it, becomes a column.
public sealed interface DocumentPath {

  /// The column that stands for the document, or for what the other columns leave of it.
  String DOCUMENT = "doc";

  /// The column.
  Column column();

  /// What is a row, the document or the element, as it came.
  record Entire(Column column) implements DocumentPath {}

  /// The same without the members that have columns of their own.
  ///
  /// @param without their names, in UTF-8
  record Rest(Column column, List<byte[]> without) implements DocumentPath {

    public Rest {
      without = List.copyOf(without);
    }
  }

  /// A member, or a member of a member and so on.
  ///
  /// @param path names from the outermost on, in UTF-8; none for the element itself
  /// @param guessed whether the column's type is a guess by sample, and nobody's word
  /// @param ofElement whether it is looked for in the element, and not in the document
  record Member(Column column, List<byte[]> path, boolean guessed, boolean ofElement)
      implements DocumentPath {

    public Member {
      path = List.copyOf(path);
    }
  }

  /// The number of the element in its array, from 1.
  record Number(Column column) implements DocumentPath {}
}
