package millrace.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which part of the source is wanted.
///
/// A source says in its {@link SourceDescription} which of these it sees to itself; the engine does
/// the rest on batches of columns.
///
/// @param columns names in the order wanted; empty for all
/// @param where an SQL condition on the columns, or null for every row
/// @param limit most rows wanted; {@link Long#MAX_VALUE} for all
public record Selection(List<String> columns, @Nullable String where, long limit) {

  /// Everything.
  public static final Selection ALL = new Selection(List.of(), null, Long.MAX_VALUE);

  public Selection {
    columns = List.copyOf(columns);
  }

  /// Whether anything is left out.
  public boolean isAll() {
    return columns.isEmpty() && where == null && limit == Long.MAX_VALUE;
  }
}
