package millrace.connectors.sql;

import java.util.List;

/// Makes a table that was there before ready for rows that are streamed past SQL, and puts it in
/// order again afterwards.
///
/// The target's thread.
public interface TableUpkeep {

  /// The table needs none.
  TableUpkeep NONE =
      new TableUpkeep() {
        @Override
        public List<String> state() {
          return List.of();
        }

        @Override
        public void begin(SqlSession session) {
          // Nothing is changed.
        }

        @Override
        public List<Left> end(SqlSession session) {
          return List.of();
        }
      };

  /// How the table was, as commands that would make it so again: a journal keeps them for a run
  /// that goes on with this one.
  List<String> state();

  /// Changes what keeps rows from being streamed, as far as the user has said so.
  void begin(SqlSession session);

  /// Puts the table in order, whether all rows are in it or not. A second call tries again what is
  /// left.
  ///
  /// @return what could not be done
  List<Left> end(SqlSession session);

  /// Something that is left to the user.
  ///
  /// @param command does it
  /// @param why it was not done, as a sentence
  record Left(String command, String why) {}
}
