package millrace.spi.read;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.Serializable;
import millrace.text.RecordJson;
import org.jspecify.annotations.Nullable;

/// A part of the source that can be read, retried and recorded on its own, in another process too.
///
/// @param index from 0 in source order
/// @param resource what it is a part of: a file, a table or partition, a generator
/// @param position where in it
/// @param firstRow number of its first row in the resource, from 1; 0 if unknown
/// @param firstLine line on which it starts in a text file, from 1; 0 if there are none
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Split(
    int index, String resource, @JsonIgnore Position position, long firstRow, long firstLine)
    implements Serializable, RecordJson.Spelled {

  /// A range in the source's own measure.
  ///
  /// @param from where it starts: bytes, blocks, rows
  /// @param to where it ends, exclusive; {@link Long#MAX_VALUE} for the end of the resource
  public Split(int index, String resource, long from, long to, long firstRow, long firstLine) {
    this(index, resource, new Position.Range(from, to), firstRow, firstLine);
  }

  /// As journals spell it. They keep no token: what was taken is known by its number and its rows.
  @JsonCreator
  static Split journaled(
      @JsonProperty("index") int index,
      @JsonProperty("resource") String resource,
      @JsonProperty("from") long from,
      @JsonProperty("to") long to,
      @JsonProperty("fromKey") @Nullable String fromKey,
      @JsonProperty("toKey") @Nullable String toKey,
      @JsonProperty("firstRow") long firstRow,
      @JsonProperty("firstLine") long firstLine) {
    Position position =
        fromKey == null && toKey == null
            ? new Position.Range(from, to)
            : new Position.KeyRange(fromKey, toKey);
    return new Split(index, resource, position, firstRow, firstLine);
  }

  /// The same as a record of what is spelled.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Journaled(
      int index,
      String resource,
      long from,
      long to,
      @Nullable String fromKey,
      @Nullable String toKey,
      long firstRow,
      long firstLine) {}

  @Override
  public Object spelled() {
    return new Journaled(index, resource, from(), to(), fromKey(), toKey(), firstRow, firstLine);
  }

  /// What is left of this split as a journal tells it, with what only the connector understands.
  ///
  /// @param reported the split from there on; null or {@link #isEmpty} if nothing is left
  public @Nullable Split rest(@Nullable Split reported) {
    if (reported != null && position instanceof Position.Token token) {
      return new Split(
          index,
          reported.resource,
          new Position.Token(token.bytes(), reported.from(), reported.to()),
          reported.firstRow,
          reported.firstLine);
    }
    return reported == null || reported.isEmpty() ? null : reported;
  }

  /// Whether it is a range that ends where it starts: what a reader leaves that has given all rows
  /// of a split and has not seen its end. Where a token ends, only the connector knows.
  @JsonIgnore
  public boolean isEmpty() {
    return position instanceof Position.Range(long from, long to) && from >= to;
  }

  /// Where it starts, in the source's own measure; 0 for a range of keys.
  @JsonProperty("from")
  public long from() {
    return switch (position) {
      case Position.Range range -> range.from();
      case Position.Token token -> token.from();
      case Position.KeyRange _ -> 0;
    };
  }

  /// Where it ends, exclusive; {@link Long#MAX_VALUE} for the end of the resource, 1 for a range of
  /// keys.
  @JsonProperty("to")
  public long to() {
    return switch (position) {
      case Position.Range range -> range.to();
      case Position.Token token -> token.to();
      case Position.KeyRange _ -> 1;
    };
  }

  @JsonProperty("fromKey")
  private @Nullable String fromKey() {
    return position instanceof Position.KeyRange range ? range.from() : null;
  }

  @JsonProperty("toKey")
  private @Nullable String toKey() {
    return position instanceof Position.KeyRange range ? range.to() : null;
  }
}
