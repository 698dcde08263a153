package millrace.spi.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import millrace.spi.OpenContext;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Placed;

/// The capability of a connector that says how its tables are defined in words of no system, and
/// makes tables of its own like those of another.
public interface TableStructures {

  /// Reads how tables are defined. Changes nothing.
  ///
  /// @param tables all tables of a job
  /// @param context is told what the looking waits for
  Structures structures(List<TableEntry> tables, OpenContext context);

  /// The statements by which tables that their copies have made with columns and primary keys get
  /// all else that their structures say. They can be carried out again.
  ///
  /// @param tables all tables of a job
  /// @return one for each, in the same order; empty of a table that is there already
  List<Optional<CopiedDefinition>> statements(List<Structured> tables, OpenContext context);

  /// What there is.
  ///
  /// @param tables one for each, in the same order
  /// @param leftOut what else is in their schemas
  record Structures(List<TableStructure> tables, List<LeftOut> leftOut) {

    public Structures {
      tables = List.copyOf(tables);
      leftOut = List.copyOf(leftOut);
    }
  }

  /// A table, where it goes and how it is defined.
  record Structured(Placed table, TableStructure structure) {}

  /// How tables of one system become tables of another.
  static Found between(
      TableStructures source, TableStructures target, List<Placed> tables, OpenContext context) {
    Structures read = source.structures(tables.stream().map(Placed::from).toList(), context);
    List<Optional<CopiedDefinition>> made =
        target.statements(
            IntStream.range(0, tables.size())
                .mapToObj(i -> new Structured(tables.get(i), read.tables().get(i)))
                .toList(),
            context);
    boolean makesSome = made.stream().anyMatch(Optional::isPresent);
    return new Found(
        made.stream().map(each -> each.orElse(CopiedDefinition.NONE)).toList(),
        List.of(),
        List.of(),
        makesSome ? new ArrayList<>(read.leftOut()) : List.of(),
        List.of("They have to be written anew, in the target's own SQL."),
        false);
  }
}
