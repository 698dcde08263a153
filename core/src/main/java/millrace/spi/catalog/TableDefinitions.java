package millrace.spi.catalog;

import java.util.List;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;

/// The capability of a connector whose tables can be made like tables of the same system, with all
/// that belongs to them: keys, indexes, foreign keys, checks, defaults, comments.
public interface TableDefinitions {

  /// Reads how tables are defined, for those whose target is not there. Changes nothing.
  ///
  /// @param tables all tables of a job: a foreign key comes along only if both its tables do
  /// @param context is told what the looking waits for
  Found definitions(List<Placed> tables, OpenContext context);

  /// Carries statements of definitions out, one after the other.
  ///
  /// @param to the table that they are of
  /// @param again whether some may have been carried out before: what is there already is passed
  ///   over
  /// @param context is told what they wait for
  /// @throws millrace.fault.Fault if the server refuses one; it names the statement
  void carryOut(Endpoint to, List<String> statements, boolean again, OpenContext context);

  /// How the tables of a job are defined.
  ///
  /// @param tables one for each, in the same order
  /// @param leftOut what of their schemas does not come along, in words
  /// @param advice how it comes along all the same, with its commands on lines of their own
  record Found(List<CopiedDefinition> tables, List<String> leftOut, List<String> advice) {

    public Found {
      tables = List.copyOf(tables);
      leftOut = List.copyOf(leftOut);
      advice = List.copyOf(advice);
    }
  }

  /// A table and where it goes.
  record Placed(TableEntry from, Endpoint to) {}
}
