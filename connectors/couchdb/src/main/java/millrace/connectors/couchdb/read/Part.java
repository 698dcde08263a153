package millrace.connectors.couchdb.read;

import java.util.List;

/// What a split stands for.
sealed interface Part {

  /// The documents between two keys.
  record Keys(KeyRange range) implements Part {}

  /// Revisions that a page of `_changes` has named.
  ///
  /// @param revisions `{"id":…,"rev":…}` of each
  /// @param sequences of each, where the changes can be read on behind it; else empty
  /// @param from where its split, or the rest of one, begins
  record Revisions(List<byte[]> revisions, List<String> sequences, long from) implements Part {

    public Revisions {
      revisions = List.copyOf(revisions);
      sequences = List.copyOf(sequences);
    }
  }
}
