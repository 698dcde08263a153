package millrace.testkit.oracle.call;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import millrace.testkit.oracle.value.CharForm;
import millrace.testkit.oracle.value.TtcType;
import org.jspecify.annotations.Nullable;

/// The LOBs that a session has locators of: those of rows that it read, and temporary ones.
final class LobStore {

  /// Bytes of a locator: two of them are the length of the rest.
  static final int LOCATOR_BYTES = 40;

  /// Clients free temporary LOBs, but forget those of rows.
  private static final int MOST_OF_ROWS = 4096;

  private final Map<Integer, Lob> temporaries = new HashMap<>();
  private final Map<Integer, Lob> ofRows = new LinkedHashMap<>();
  private int last;

  /// A LOB's bytes; a CLOB has two for each character.
  static final class Lob {
    final TtcType type;
    byte[] bytes;

    Lob(TtcType type, byte[] bytes) {
      this.type = type;
      this.bytes = bytes;
    }

    int bytesOfUnit() {
      return type == TtcType.CLOB ? 2 : 1;
    }
  }

  /// Keeps the value of a row's column.
  ///
  /// @return its locator
  byte[] keep(TtcType type, byte[] bytes) {
    return put(type, bytes, false);
  }

  /// Makes an empty temporary LOB.
  byte[] create(TtcType type) {
    return put(type, new byte[0], true);
  }

  private byte[] put(TtcType type, byte[] bytes, boolean temporary) {
    int number = ++last;
    (temporary ? temporaries : ofRows).put(number, new Lob(type, bytes));
    if (ofRows.size() > MOST_OF_ROWS) {
      ofRows.remove(ofRows.keySet().iterator().next());
    }
    boolean text = type == TtcType.CLOB;
    ByteBuffer locator = ByteBuffer.allocate(LOCATOR_BYTES);
    locator.putShort((short) (LOCATOR_BYTES - 2)).putShort((short) 1);
    // Kind, initialized, a character set of varying width, temporary.
    locator.put((byte) (text ? 2 : temporary ? 0x81 : 1)).put((byte) 8);
    locator.put((byte) (text ? 0x80 : 0)).put((byte) (temporary ? 3 : 0));
    locator.position(LOCATOR_BYTES - Integer.BYTES);
    return locator.putInt(number).array();
  }

  private static int number(byte[] locator) {
    return ByteBuffer.wrap(locator).getInt(LOCATOR_BYTES - Integer.BYTES);
  }

  @Nullable Lob find(byte[] locator) {
    if (locator.length < LOCATOR_BYTES) {
      return null;
    }
    Lob temporary = temporaries.get(number(locator));
    return temporary == null ? ofRows.get(number(locator)) : temporary;
  }

  void free(byte[] locator) {
    temporaries.remove(number(locator));
    ofRows.remove(number(locator));
  }

  /// The value of a LOB that is bound: a text or bytes. Null if the locator is of none.
  @Nullable Object value(byte[] locator) {
    Lob lob = find(locator);
    if (lob == null) {
      return null;
    }
    if (lob.type != TtcType.CLOB) {
      return lob.bytes;
    }
    // A text without letters would be null, but this one is only empty.
    return lob.bytes.length == 0
        ? new StringReader("")
        : new String(lob.bytes, CharForm.NATIONAL.charset());
  }
}
