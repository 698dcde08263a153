package millrace.spi;

import java.util.List;

/// Capability of a {@link Connector} whose systems understand SQL.
public interface StatementRunner {

  /// Runs statements of the user's, one after the other, each for good.
  ///
  /// @param end the database; a table that it names says nothing
  /// @param context is told what they wait for, and stops them
  /// @throws millrace.fault.Fault if one fails: the others behind it are not run
  void run(Endpoint end, List<String> statements, OpenContext context);
}
