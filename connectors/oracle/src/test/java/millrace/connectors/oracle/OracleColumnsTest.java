package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.stream.Stream;
import millrace.connectors.sql.types.TypeTable;
import millrace.data.Type;
import millrace.data.Type.Text.Unit;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueParser;
import oracle.sql.CharacterSet;
import oracle.sql.Datum;
import oracle.sql.NUMBER;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What columns are declared as, and what they keep as it is.
class OracleColumnsTest {

  private static final OracleTraits OLD =
      new OracleTraits(1900, 1900, CharacterSet.make(CharacterSet.US7ASCII_CHARSET), "", "");

  private static TypeTable types(OracleTraits server) {
    return OracleTypeTable.of(server, true, true);
  }

  static Stream<Arguments> declarations() {
    return Stream.of(
        Arguments.of(new Type.Bool(), "BOOLEAN"),
        Arguments.of(new Type.Int(16), "NUMBER(5)"),
        Arguments.of(new Type.Int(32), "NUMBER(10)"),
        Arguments.of(new Type.Int(64), "NUMBER(19)"),
        Arguments.of(new Type.Float(32), "BINARY_FLOAT"),
        Arguments.of(new Type.Float(64), "BINARY_DOUBLE"),
        Arguments.of(Type.Decimal.UNLIMITED, "NUMBER"),
        Arguments.of(new Type.Decimal(38, 0), "NUMBER(38)"),
        Arguments.of(new Type.Decimal(38, 38), "NUMBER(38,38)"),
        Arguments.of(new Type.Decimal(39, 0), "VARCHAR2(4000)"),
        Arguments.of(new Type.Decimal(5, -2), "VARCHAR2(4000)"),
        Arguments.of(new Type.Decimal(5, 6), "VARCHAR2(4000)"),
        Arguments.of(new Type.Timestamp(false), "TIMESTAMP(6)"),
        Arguments.of(new Type.Timestamp(true), "TIMESTAMP(6) WITH TIME ZONE"),
        Arguments.of(Type.Text.UNLIMITED, "CLOB"),
        Arguments.of(new Type.Text(1_000), "VARCHAR2(1000 CHAR)"),
        Arguments.of(new Type.Text(1_001), "CLOB"),
        Arguments.of(new Type.Text(20, Unit.UTF16), "VARCHAR2(20 CHAR)"),
        Arguments.of(new Type.Text(4_000, Unit.BYTES), "VARCHAR2(4000)"),
        Arguments.of(new Type.Text(4_001, Unit.BYTES), "CLOB"));
  }

  @ParameterizedTest
  @MethodSource("declarations")
  void aNewColumnHasRoomForAllValuesOfItsType(Type type, String declared) {
    assertThat(types(OracleTraits.USUAL).ddl().apply(type)).isEqualTo(declared);
    String older = declared.equals("BOOLEAN") ? "NUMBER(1)" : declared;
    assertThat(types(OLD).ddl().apply(type)).isEqualTo(older);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CLOB | 1 | VARCHAR2(4000)",
        "CLOB | 2 | VARCHAR2(3000)",
        "VARCHAR2(4000) | 3 | VARCHAR2(2000)",
        "VARCHAR2(20 CHAR) | 2 | VARCHAR2(20 CHAR)",
        "BLOB | 1 | RAW(2000)",
        "BLOB | 4 | RAW(1500)",
        "NUMBER(5) | 1 | NUMBER(5)"
      })
  void aColumnOfAKeyFitsAnIndex(String declared, int columns, String keyed) {
    assertThat(OracleTypeTable.keyed(declared, columns)).isEqualTo(keyed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NUMBER(4) | int16",
        "NUMBER(5) | int32",
        "NUMBER(9) | int32",
        "NUMBER(10) | int64",
        "NUMBER(18) | int64",
        "NUMBER(4,4) | decimal(4,4)",
        "NUMBER(3,5) | decimal",
        "DATE OF DAYS | date",
        "NUMBER(1) OF TRUTH | boolean"
      })
  void whatADeclarationMeans(String declared, String type) {
    assertThat(types(OracleTraits.USUAL).find(declared).type().label()).isEqualTo(type);
  }

  /// Bytes of another character set are characters.
  @Test
  void aLengthInBytesIsOneOfCharactersIfEachIsAByte() {
    assertThat(types(OracleTraits.USUAL).type("VARCHAR2(5)"))
        .isEqualTo(new Type.Text(5, Unit.BYTES));
    assertThat(types(OLD).type("VARCHAR2(5)")).isEqualTo(new Type.Text(5));
  }

  /// The reason why a column of that declaration does not take a value; null if it does.
  private static @Nullable String refusal(
      OracleTraits server, String declared, String spelled, Given given) throws SQLException {
    TypeTable.MappedType found = types(server).find(declared);
    // Of the source, which may have more than the column does.
    Type type =
        switch (found.type()) {
          case Type.Decimal _ -> Type.Decimal.UNLIMITED;
          case Type.Text _ -> Type.Text.UNLIMITED;
          case Type same -> same;
        };
    byte[] bytes = spelled.getBytes(StandardCharsets.UTF_8);
    Vector vector = Vector.of(type, 2);
    ValueParser parser = Spelling.parser(type, SpellingStyle.ISO);
    // The second does not stand at the beginning of its bytes.
    for (int at = 0; at < 2; at++) {
      assertThat(parser.parse(bytes, 0, bytes.length, vector, at)).isTrue();
    }
    return found.cell().setter().apply(type).set(given, 1, vector, 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NUMBER(4) | 9999",
        "NUMBER(4) | -9999",
        "NUMBER(18) | 999999999999999999",
        "NUMBER | 99999999999999999999999999999999999999",
        "NUMBER | 1E+125",
        "NUMBER | -1E-130",
        "NUMBER | 0.000",
        "NUMBER(5,-2) | 9999900",
        "NUMBER(5,-2) | 0",
        "NUMBER(2,4) | 0.0099",
        "FLOAT(10) | 123400",
        "FLOAT(10) | 0.001234",
        "DATE | 2024-02-29 23:59:59",
        "TIMESTAMP(3) | 2024-02-29 23:59:59.123",
        "BINARY_DOUBLE | 0",
        "RAW(2) | \\x0102",
        "INTERVAL DAY(2) TO SECOND(6) | -5 23:59:59.123456",
        "INTERVAL YEAR(2) TO MONTH | 3-11",
        "ROWID | AAAR3sAAEAAAACXAAA",
        "UROWID(4000) | *BAEBCgECwQL+"
      })
  void aColumnKeeps(String declared, String value) throws SQLException {
    Given given = new Given();
    assertThat(refusal(OracleTraits.USUAL, declared, value, given)).isNull();
    assertThat(given.value).isNotNull();
    if (given.value instanceof NUMBER number) {
      assertThat(number.bigDecimalValue()).isEqualByComparingTo(value);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "NUMBER(4) | 10000 | is not between -9999 and 9999",
        "NUMBER | 999999999999999999999999999999999999999 | has 39 digits, and its column keeps 38",
        "NUMBER | 1E+126 | is outside the range of numbers",
        "NUMBER | 1E-131 | is outside the range of numbers",
        "NUMBER | NaN | is no number to the database",
        "NUMBER(5,-2) | 12345 | would be rounded by its column",
        "NUMBER(5,-2) | 10000000 | is outside the range of its column",
        "NUMBER(5,-2) | NaN | is no number to the database",
        "NUMBER(2,4) | 0.00123 | would be rounded by its column",
        "NUMBER(2,4) | 0.01 | is outside the range of its column",
        "FLOAT(10) | 12345 | has 5 digits, and its column keeps 4",
        "DATE | 10000-01-01 00:00:00 | the years 1 to 9999",
        "DATE | 2024-02-29 23:59:59.5 | more digits behind the seconds than the 0",
        "TIMESTAMP(3) | 2024-02-29 23:59:59.1234 | more digits behind the seconds than the 3",
        "BINARY_DOUBLE | -0 | whose sign the database does not keep",
        "RAW(2) | \\x010203 | holds at most 2",
        "INTERVAL DAY(2) TO SECOND(6) | 5 24:00:00 | is no interval of its column's type",
        "INTERVAL YEAR(2) TO MONTH | 3-12 | is no interval of its column's type",
        "ROWID | AAAR3sAAEAAAACXAA | is no rowid",
        "ROWID | *BAEBCgECwQL+ | is no rowid"
      })
  void aColumnWouldChange(String declared, String value, String reason) throws SQLException {
    Given given = new Given();
    assertThat(refusal(OracleTraits.USUAL, declared, value, given)).contains(reason);
    assertThat(given.value).isNull();
  }

  /// What a stream leaves out: the server does not add them.
  @ParameterizedTest
  @CsvSource({
    "CHAR(5 BYTE), ä, 3",
    "CHAR(5), ä, 3",
    "CHAR(5 CHAR), ä, 4",
    "CHAR(5 CHAR), 😀, 4",
    "NCHAR(5), 😀, 3",
    "CHAR(5 CHAR), abcde, 0",
    "CHAR(5 CHAR), abcdef, 0"
  })
  void aTextIsFilledUpByTheUnitOfItsColumn(String declared, String text, int blanks)
      throws SQLException {
    Given given = new Given();
    assertThat(refusal(OracleTraits.USUAL, declared, text, given)).isNull();
    assertThat(given.value).isEqualTo(text + " ".repeat(blanks));
  }

  @ParameterizedTest
  @CsvSource({"VARCHAR2(9)", "CHAR(9 CHAR)", "CLOB", "NVARCHAR2(9)"})
  void lettersThatTheCharacterSetLacksAreTold(String declared) throws SQLException {
    assertThat(refusal(OLD, declared, "abc ~", new Given())).isNull();
    assertThat(refusal(OLD, declared, "abcä", new Given()))
        .contains("has letters that the database's character set", "lacks");
    assertThat(refusal(OracleTraits.USUAL, declared, "abcä", new Given())).isNull();
  }

  private static final String DIGITS = "1234567890".repeat(4).substring(0, 38);

  static Stream<Arguments> documents() {
    return Stream.of(
        Arguments.of("[" + DIGITS + "," + DIGITS + "]", true),
        Arguments.of("[-" + DIGITS + "00000, 0.000" + DIGITS + "]", true),
        Arguments.of("[1." + DIGITS.substring(1) + "00e+12]", true),
        Arguments.of("{\"" + DIGITS + "2\":\"\\\"" + DIGITS + "2\"}", true),
        Arguments.of("[true,1]", true),
        Arguments.of(DIGITS + "2", false),
        Arguments.of("{\"a\":" + DIGITS + "2}", false),
        Arguments.of("[\"\\\\\"," + DIGITS + "2]", false),
        Arguments.of("[1." + DIGITS + "]", false),
        Arguments.of("[1e5,-" + DIGITS + "2e-7]", false),
        Arguments.of("[true," + DIGITS + "2]", false),
        Arguments.of("[1" + "0".repeat(37) + "1]", false));
  }

  /// The driver would round a number of more digits.
  @ParameterizedTest
  @MethodSource("documents")
  void aDocumentWithANumberOfTooManyDigitsIsRefused(String document, boolean kept)
      throws SQLException {
    Given given = new Given();
    String reason = refusal(OracleTraits.USUAL, "JSON", document, given);
    if (kept) {
      assertThat(reason).isNull();
      assertThat(given.value).isNotNull();
    } else {
      assertThat(reason).contains("a number of more than 38 digits");
    }
  }

  /// A missing bit of a double would be another number.
  @ParameterizedTest
  @CsvSource({"BINARY_DOUBLE, 1.5, BFF8000000000000", "BINARY_DOUBLE, -1.5, 4007FFFFFFFFFFFF"})
  void aDoubleIsSentAsItsBytes(String declared, String value, String hex) throws SQLException {
    Given given = new Given();
    assertThat(refusal(OracleTraits.USUAL, declared, value, given)).isNull();
    assertThat(given.value)
        .isInstanceOfSatisfying(
            Datum.class,
            datum ->
                assertThat(HexFormat.of().withUpperCase().formatHex(datum.getBytes()))
                    .isEqualTo(hex));
  }
}
