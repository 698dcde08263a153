package millrace.connectors.sql.types;

import java.sql.Blob;
import java.sql.Clob;
import java.sql.SQLException;
import java.sql.Types;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.connectors.sql.types.TypeTable.Getter;

/// Long texts and bytes of drivers that give them as objects of java.sql. They are set like others.
public final class Lobs {

  /// Texts.
  public static final Cell TEXT =
      new Cell(
          type -> {
            Getter texts = Cells.TEXT.getter().apply(type);
            return (value, row, column, into, at) ->
                texts.get(
                    value instanceof Clob clob
                        ? clob.getSubString(1, length(clob.length()))
                        : value,
                    row,
                    column,
                    into,
                    at);
          },
          Cells.TEXT.setter(),
          Types.CLOB,
          false);

  /// Bytes.
  public static final Cell BYTES =
      new Cell(
          type -> {
            Getter bytes = Cells.BYTES.getter().apply(type);
            return (value, row, column, into, at) ->
                bytes.get(
                    value instanceof Blob blob ? blob.getBytes(1, length(blob.length())) : value,
                    row,
                    column,
                    into,
                    at);
          },
          Cells.BYTES.setter(),
          Types.BLOB,
          false);

  private Lobs() {}

  private static int length(long length) throws SQLException {
    if (length > Integer.MAX_VALUE) {
      throw new SQLException("a value of " + length + " is too long", "22001");
    }
    return (int) length;
  }
}
