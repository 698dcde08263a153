package millrace.connectors.couchdb;

import java.util.List;

/// What a split stands for.
sealed interface Part {

  /// The documents between two keys.
  record Keys(KeyRange range) implements Part {}

  /// Revisions that a page of `_changes` has named.
  ///
  /// @param revisions `{"id":…,"rev":…}` of each
  record Revisions(List<byte[]> revisions) implements Part {

    public Revisions {
      revisions = List.copyOf(revisions);
    }
  }
}
