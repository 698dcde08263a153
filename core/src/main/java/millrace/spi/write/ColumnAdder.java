package millrace.spi.write;

import java.util.List;
import millrace.data.Column;

/// A target whose table can be given further columns.
public interface ColumnAdder {

  /// Adds columns that take nulls to the table that exists; done at once, for everybody. The target
  /// is described anew afterwards.
  ///
  /// @param columns named as the source names them
  /// @throws millrace.fault.Fault if the system refuses it
  void addColumns(List<Column> columns);
}
