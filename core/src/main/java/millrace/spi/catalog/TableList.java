package millrace.spi.catalog;

import java.util.List;

/// The tables that an end names. As long as it is open, they may be kept in one state; so it is
/// closed only once all have been read. One thread.
public interface TableList extends AutoCloseable {

  /// The tables, in the order of their names.
  List<TableEntry> entries();

  /// In which state they are read, as the beginning of a sentence, such as `all tables as they were
  /// at one moment`.
  String state();

  @Override
  default void close() {}

  /// One that keeps nothing open.
  static TableList of(List<TableEntry> entries, String state) {
    List<TableEntry> copied = List.copyOf(entries);
    return new TableList() {
      @Override
      public List<TableEntry> entries() {
        return copied;
      }

      @Override
      public String state() {
        return state;
      }
    };
  }
}
