package millrace.connectors.mariadb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.sql.Types;
import java.util.Arrays;
import millrace.connectors.sql.types.Cells;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.connectors.sql.types.TypeTable.Check;
import millrace.data.BytesVector;
import org.jspecify.annotations.Nullable;

/// Geometries as well-known binary (WKB). The server keeps a number of the reference system in
/// front of it; if that is not 0, it goes into the header, as PostGIS has it (EWKB).
final class GeometryBytes {

  private static final int SRID_BYTES = 4;
  private static final int HEADER_BYTES = 5;

  /// In the type, says that the number of the reference system comes next.
  private static final int HAS_SRID = 0x2000_0000;

  private static final Check IS_WKB =
      (from, at) -> {
        BytesVector bytes = (BytesVector) from;
        int length = bytes.ends[at] - bytes.starts[at];
        return length >= HEADER_BYTES && bytes.bytes[bytes.starts[at]] == 1
            ? null
            : "is no geometry in little-endian WKB";
      };

  static final Cell CELL =
      new Cell(
              _ ->
                  (value, _, _, into, at) -> {
                    byte[] wkb = value instanceof byte[] stored ? wkb(stored) : null;
                    if (wkb == null) {
                      return "holds " + Cells.shown(value);
                    }
                    ((BytesVector) into).append(at, wkb, 0, wkb.length);
                    return null;
                  },
              _ ->
                  (statement, parameter, from, at) -> {
                    BytesVector bytes = (BytesVector) from;
                    byte[] wkb = Arrays.copyOfRange(bytes.bytes, bytes.starts[at], bytes.ends[at]);
                    statement.setBytes(parameter, stored(wkb));
                    return null;
                  },
              Types.VARBINARY,
              false)
          .checked(IS_WKB);

  private GeometryBytes() {}

  /// What the server stores, as WKB or EWKB; null if it is neither.
  static byte @Nullable [] wkb(byte[] stored) {
    if (stored.length < SRID_BYTES + HEADER_BYTES || stored[SRID_BYTES] != 1) {
      return null;
    }
    ByteBuffer from = ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN);
    int srid = from.getInt(0);
    if (srid == 0) {
      return Arrays.copyOfRange(stored, SRID_BYTES, stored.length);
    }
    return ByteBuffer.allocate(stored.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) 1)
        .putInt(from.getInt(HEADER_BYTES) | HAS_SRID)
        .putInt(srid)
        .put(stored, SRID_BYTES + HEADER_BYTES, stored.length - SRID_BYTES - HEADER_BYTES)
        .array();
  }

  /// WKB or EWKB as the server stores it, which is also what it takes for a geometry.
  static byte[] stored(byte[] wkb) {
    ByteBuffer from = ByteBuffer.wrap(wkb).order(ByteOrder.LITTLE_ENDIAN);
    int type = from.getInt(1);
    boolean hasSrid = (type & HAS_SRID) != 0 && wkb.length >= HEADER_BYTES + SRID_BYTES;
    int rest = HEADER_BYTES + (hasSrid ? SRID_BYTES : 0);
    return ByteBuffer.allocate(SRID_BYTES + HEADER_BYTES + wkb.length - rest)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(hasSrid ? from.getInt(HEADER_BYTES) : 0)
        .put((byte) 1)
        .putInt(type & ~HAS_SRID)
        .put(wkb, rest, wkb.length - rest)
        .array();
  }
}
