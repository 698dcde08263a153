package millrace.connectors.couchdb.read;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.data.Column;

/// What of a document becomes a column.
public sealed interface Field {

  /// The column that stands for the document, or for what the other columns leave of it.
  String DOCUMENT = "doc";

  /// The column.
  Column column();

  /// The document as it came.
  record Whole(Column column) implements Field {}

  /// The document without the members that have columns of their own.
  ///
  /// @param without their names, in UTF-8
  record Rest(Column column, List<byte[]> without) implements Field {

    public Rest {
      without = List.copyOf(without);
    }
  }

  /// A member, or a member of a member and so on.
  ///
  /// @param path names from the outermost on, in UTF-8
  /// @param guessed whether the column's type is a guess by sample, and nobody's word
  record Member(Column column, List<byte[]> path, boolean guessed) implements Field {

    public Member {
      path = List.copyOf(path);
    }

    /// By a name whose dots go down.
    static Member of(Column column, boolean guessed) {
      List<byte[]> path = new ArrayList<>();
      for (String name : column.name().split("\\.", -1)) {
        path.add(name.getBytes(StandardCharsets.UTF_8));
      }
      return new Member(column, path, guessed);
    }
  }
}
