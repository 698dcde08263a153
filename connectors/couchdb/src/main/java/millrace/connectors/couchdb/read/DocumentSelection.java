package millrace.connectors.couchdb.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.util.List;
import millrace.connectors.json.Json;
import millrace.fault.Fault;
import millrace.spi.read.Position;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// What a split stands for. It travels in the split's position, as JSON.
sealed interface DocumentSelection {

  /// The documents between two keys.
  record Keys(KeyRange range) implements DocumentSelection {}

  /// Revisions that a page of `_changes` has named.
  ///
  /// @param revisions `{"id":…,"rev":…}` of each
  /// @param sequences of each, if the changes can be read on behind it; else empty
  /// @param from where its split, or the rest of one, begins
  record Revisions(List<byte[]> revisions, List<String> sequences, long from)
      implements DocumentSelection {

    public Revisions {
      revisions = List.copyOf(revisions);
      sequences = List.copyOf(sequences);
    }
  }

  /// As it is spelled: one of both.
  record Spelled(@Nullable KeyRange keys, @Nullable Revisions revisions) {}

  /// The position of a split of it.
  ///
  /// @param from number of its first document, from 0
  /// @param to number behind its last
  default Position position(long from, long to) {
    Spelled spelled =
        switch (this) {
          case Keys(KeyRange range) -> new Spelled(range, null);
          case Revisions revisions -> new Spelled(null, revisions);
        };
    try {
      return new Position.Token(Json.MAPPER.writeValueAsBytes(spelled), from, to);
    } catch (JsonProcessingException e) {
      throw new Fault.Bug("a split does not become JSON", e);
    }
  }

  /// What a split stands for.
  static DocumentSelection of(Split split) {
    if (!(split.position() instanceof Position.Token token)) {
      throw new Fault.Bug("split " + split.index() + " is not one of a database", null);
    }
    try {
      Spelled spelled = Json.MAPPER.readValue(token.bytes(), Spelled.class);
      return spelled.revisions == null
          ? new Keys(spelled.keys == null ? KeyRange.ALL : spelled.keys)
          : spelled.revisions;
    } catch (IOException e) {
      throw new Fault.Bug("split " + split.index() + " has no part", e);
    }
  }
}
