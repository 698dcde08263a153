package millrace.connectors.sql.sink;

import java.util.List;
import millrace.connectors.sql.SqlSession;

/// Makes a table that was there before ready for rows that are sent past its rules, and puts it in
/// order again afterwards.
///
/// The target's thread.
public interface TableUpkeep {

  /// The table needs none.
  TableUpkeep NONE = new TableUpkeep() {};

  /// How the table was, as commands that would make it so again: a journal keeps them for a run
  /// that goes on with this one.
  default List<String> state() {
    return List.of();
  }

  /// Changes what keeps rows from being sent, as far as the user has said so.
  default void begin(SqlSession session) {}

  /// Puts the table in order, whether all rows are in it or not. A second call tries again what is
  /// left.
  ///
  /// @return what could not be done
  default List<Left> end(SqlSession session) {
    return List.of();
  }

  /// Something that is left to the user.
  ///
  /// @param command does it
  /// @param why it was not done, as a sentence
  record Left(String command, String why) {}
}
