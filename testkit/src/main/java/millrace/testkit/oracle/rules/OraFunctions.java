package millrace.testkit.oracle.rules;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.dictionary.DictionaryFunctions;
import millrace.testkit.oracle.value.CharForm;
import millrace.testkit.oracle.value.DatabaseCharset;
import millrace.testkit.oracle.value.OraRowid;
import millrace.testkit.oracle.value.VectorFormat;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;

/// Oracle's functions that H2 does not have, under names that begin with `ORA_`. H2 calls them.
public final class OraFunctions {

  private static final int NO_NUMBER = 1722;
  private static final Pattern ESCAPED = Pattern.compile("\\\\(?:([0-9A-Fa-f]{4})|\\\\)");
  private static final List<String> OWN =
      List.of(
          "ROWID",
          "ROW_NUMBER",
          "TO_NUMBER",
          "LENGTHB",
          "TO_CLOB",
          "TO_BLOB",
          "EMPTY_CLOB",
          "EMPTY_BLOB",
          "INITCAP",
          "ROWIDTOCHAR",
          "VSIZE",
          "STANDARD_HASH",
          "ORA_HASH",
          "FROM_VECTOR",
          "UNISTR",
          "NLS_CHARSET_ID",
          "DBMS_LOB_GETLENGTH",
          "DBMS_LOB_SUBSTR",
          "DBMS_LOB_COMPARE",
          "DBMS_ROWID_ROWID_CREATE",
          "DBMS_ROWID_ROWID_OBJECT",
          "DBMS_ROWID_ROWID_BLOCK_NUMBER",
          "DBMS_ROWID_ROWID_ROW_NUMBER");

  private OraFunctions() {}

  public static void create(Statement statement) throws SQLException {
    for (String name : OWN) {
      alias(statement, name, OraFunctions.class, camel(name));
    }
    alias(statement, "TO_NCLOB", OraFunctions.class, "toClob");
    alias(statement, "DUMP", ValueDump.class, "dump");
    alias(statement, "VIEW", DictionaryFunctions.class, "view");
    alias(statement, "SYS_CONTEXT", DictionaryFunctions.class, "sysContext");
    alias(statement, "USERENV", DictionaryFunctions.class, "userEnv");
    alias(statement, "SCN", DictionaryFunctions.class, "scn");
  }

  private static void alias(Statement statement, String name, Class<?> type, String method)
      throws SQLException {
    statement.execute(
        "CREATE ALIAS ORA.ORA_%s FOR '%s.%s'".formatted(name, type.getName(), method));
  }

  private static String camel(String name) {
    StringBuilder camel = new StringBuilder();
    for (String word : name.toLowerCase(Locale.ROOT).split("_", -1)) {
      boolean first = camel.isEmpty();
      camel.append(first ? word.charAt(0) : Character.toUpperCase(word.charAt(0)));
      camel.append(word, 1, word.length());
    }
    return camel.toString();
  }

  /// The 18 letters of a row's rowid.
  ///
  /// @param part the place of the row's partition, from 1; 0 if there are none
  public static @Nullable String rowid(long table, int part, @Nullable Long row) {
    return row == null ? null : OraRowid.ofRow(OraRowid.object(table, part), row).toString();
  }

  /// The number of the row that 18 letters name.
  public static @Nullable Long rowNumber(@Nullable String rowid) throws SQLException {
    return rowid == null ? null : parse(rowid).number();
  }

  private static OraRowid parse(String rowid) throws SQLException {
    try {
      return OraRowid.parse(rowid);
    } catch (IllegalArgumentException e) {
      throw error(new OraException(1410, "invalid ROWID", e));
    }
  }

  /// An error of Oracle's on its way through H2.
  public static SQLException error(OraException e) {
    return new SQLException(e.getMessage(), "72000", e.code(), e);
  }

  public static @Nullable String rowidtochar(@Nullable String rowid) {
    return rowid;
  }

  public static @Nullable BigDecimal toNumber(@Nullable String text) throws SQLException {
    if (text == null || text.isEmpty()) {
      return null;
    }
    try {
      return new BigDecimal(text.strip());
    } catch (NumberFormatException e) {
      throw error(new OraException(NO_NUMBER, "invalid number", e));
    }
  }

  public static @Nullable Integer lengthb(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8).length;
  }

  public static @Nullable Integer vsize(@Nullable String text) {
    return lengthb(text);
  }

  /// Text in which four hexadecimal digits behind a backslash stand for a letter, and two
  /// backslashes for one.
  public static int nlsCharsetId(String name) {
    return DatabaseCharset.valueOf(name).id(CharForm.DATABASE);
  }

  public static @Nullable String unistr(@Nullable String text) {
    return text == null
        ? null
        : ESCAPED
            .matcher(text)
            .replaceAll(found ->
                Matcher.quoteReplacement(
                    found.group(1) == null
                        ? "\\"
                        : String.valueOf((char) Integer.parseInt(found.group(1), 16))));
  }

  public static @Nullable Reader toClob(@Nullable String text) {
    return text == null ? null : new StringReader(text);
  }

  public static @Nullable InputStream toBlob(byte @Nullable [] bytes) {
    return bytes == null ? null : new ByteArrayInputStream(bytes);
  }

  public static Reader emptyClob() {
    return new StringReader("");
  }

  public static InputStream emptyBlob() {
    return new ByteArrayInputStream(new byte[0]);
  }

  public static @Nullable String initcap(@Nullable String text) {
    if (text == null) {
      return null;
    }
    StringBuilder capital = new StringBuilder(text.toLowerCase(Locale.ROOT));
    for (int i = 0; i < capital.length(); i++) {
      if (i == 0 || !Character.isLetterOrDigit(capital.charAt(i - 1))) {
        capital.setCharAt(i, Character.toUpperCase(capital.charAt(i)));
      }
    }
    return capital.toString();
  }

  /// A digest, as STANDARD_HASH has it: SHA1 unless another is named.
  public static byte @Nullable [] standardHash(@Nullable String text, String method)
      throws GeneralSecurityException {
    String name = method.replaceFirst("^SHA(\\d)", "SHA-$1");
    byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    return MessageDigest.getInstance(name).digest(bytes);
  }

  /// A number from 0 to the greatest that is asked for. Real servers have other numbers for the
  /// same value.
  public static @Nullable Long oraHash(Value value, long greatest, long seed) {
    if (value.getValueType() == Value.NULL) {
      return null;
    }
    CRC32 hash = new CRC32();
    hash.update((seed + ":" + value.getString()).getBytes(StandardCharsets.UTF_8));
    return hash.getValue() % (greatest + 1);
  }

  /// The numbers of a vector as real servers spell them. It is kept as it was inserted: as a text,
  /// or as the client's bytes.
  public static @Nullable Reader fromVector(byte @Nullable [] vector) {
    if (vector == null) {
      return null;
    }
    if (VectorFormat.isVector(vector)) {
      return new StringReader(VectorFormat.spelled(vector));
    }
    String text = new String(vector, StandardCharsets.UTF_8).strip();
    StringBuilder spelled = new StringBuilder();
    for (String each : text.substring(1, text.length() - 1).split(",", -1)) {
      float number = Float.parseFloat(each.strip());
      spelled.append(spelled.isEmpty() ? "[" : ",").append(VectorFormat.FLOAT32.spelled(number));
    }
    return new StringReader(spelled + "]");
  }

  public static @Nullable Long dbmsLobGetlength(@Nullable String text) {
    return text == null ? null : (long) text.length();
  }

  /// 0 if two LOBs are the same, text or bytes.
  public static @Nullable Integer dbmsLobCompare(Value one, Value other) {
    if (one.getValueType() == Value.NULL || other.getValueType() == Value.NULL) {
      return null;
    }
    return one.getValueType() == Value.BLOB
        ? Arrays.compare(one.getBytesNoCopy(), other.getBytesNoCopy())
        : one.getString().compareTo(other.getString());
  }

  /// A part of a CLOB: so many characters from that one, counted from 1.
  public static @Nullable String dbmsLobSubstr(@Nullable String text, int amount, int offset) {
    if (text == null || offset > text.length()) {
      return null;
    }
    return text.substring(offset - 1, Math.min(text.length(), offset - 1 + amount));
  }

  /// `DBMS_ROWID.ROWID_CREATE`.
  ///
  /// @param type 1 for a rowid of today's shape; 0, for one of Oracle 7, is not known here
  public static String dbmsRowidRowidCreate(int type, long object, int file, long block, int row)
      throws SQLException {
    if (type != 1) {
      throw error(new OraException(28516, "a rowid of type " + type));
    }
    return new OraRowid(object, file, block, row).toString();
  }

  public static @Nullable Long dbmsRowidRowidObject(@Nullable String rowid) throws SQLException {
    return rowid == null ? null : parse(rowid).object();
  }

  public static @Nullable Long dbmsRowidRowidBlockNumber(@Nullable String rowid)
      throws SQLException {
    return rowid == null ? null : parse(rowid).block();
  }

  public static @Nullable Integer dbmsRowidRowidRowNumber(@Nullable String rowid)
      throws SQLException {
    return rowid == null ? null : parse(rowid).row();
  }

  /// Bytes as DUMP writes them.
  public static String list(byte[] bytes, boolean hexadecimal) {
    StringBuilder list = new StringBuilder();
    for (byte each : bytes) {
      String next = hexadecimal ? Integer.toHexString(each & 0xFF) : String.valueOf(each & 0xFF);
      list.append(list.isEmpty() ? "" : ",").append(next);
    }
    return list.toString();
  }
}
