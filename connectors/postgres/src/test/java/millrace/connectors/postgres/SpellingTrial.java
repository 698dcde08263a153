package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import millrace.connectors.postgres.catalog.PostgresType;
import millrace.connectors.postgres.catalog.PostgresTypes;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.connectors.postgres.codec.BinaryDecoder;
import millrace.connectors.postgres.codec.BinaryEncoder;
import millrace.connectors.postgres.codec.RowEncoder;
import millrace.connectors.postgres.codec.TextEncoder;
import millrace.connectors.postgres.load.LoadColumn;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.LongVector;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.JsonCheck;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.Utf8;
import millrace.data.spelling.ValueParser;
import millrace.fault.Location;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;

/// What many spellings of one type mean to us, and what they mean to the server itself.
///
/// Ours goes the whole way: parsed, encoded as binary COPY and as text COPY, told back by the
/// server as text, and read back as binary. Every round trip takes all spellings at once.
final class SpellingTrial {

  /// Stand between spellings, so that a parser that looks too far sees something that would fit.
  private static final byte[] NEIGHBOURS = "90-.:e +,a\n".getBytes(StandardCharsets.US_ASCII);

  private static final int SHOWN_MAX = 20;

  private final Connection connection;

  SpellingTrial(TestDatabase database) {
    connection = database.server.connect(database.name);
    execute("SET TimeZone = 'UTC'; SET bytea_output = 'hex'; SET DateStyle = 'ISO, MDY'");
  }

  /// What came of a trial.
  ///
  /// @param differences what was wrong, in words
  /// @param taken how many spellings we took
  /// @param refused how many the server did not take
  /// @param answers the server's own spelling of each that it took
  record Outcome(List<String> differences, int taken, int refused, List<byte[]> answers) {}

  /// Tries each spelling; nothing may mean to us what it does not mean to the server.
  ///
  /// @param takesAll whether we must take all that the server takes
  Outcome run(Type type, List<byte[]> spellings, boolean takesAll) {
    PostgresType declared = PostgresTypes.made(type);
    List<@Nullable String> servers = servers(declared.declared(), spellings);
    List<String> differences = new ArrayList<>();
    BitSet taken = taken(declared, spellings, differences);
    List<byte[]> both = new ArrayList<>();
    List<@Nullable String> meant = new ArrayList<>();
    for (int i = 0; i < spellings.size(); i++) {
      String meaning = servers.get(i);
      if (taken.get(i) && meaning == null && isOfLaterServers(type, spellings.get(i))) {
        Columns alone = parsed(declared, List.of(spellings.get(i)));
        assertThatThrownBy(() -> sent(declared, alone, true))
            .hasMessageContaining("the server does not take");
      } else if (taken.get(i) && meaning == null && isWholeNumber(type, spellings.get(i))) {
        // Whole numbers with a point or an exponent, which the server takes for a numeric alone.
        both.add(spellings.get(i));
        String text = new String(spellings.get(i), StandardCharsets.UTF_8).strip();
        meant.add(new BigDecimal(text).toBigIntegerExact().toString());
      } else if (taken.get(i) && meaning == null) {
        // Nought is nought whatever its exponent is, and goes to the server without one.
        if (!isZero(type, spellings.get(i))) {
          differences.add(shown(spellings.get(i)) + " is taken, but not by the server");
        }
      } else if (taken.get(i)) {
        both.add(spellings.get(i));
        meant.add(meaning);
      } else if (takesAll && meaning != null) {
        differences.add(shown(spellings.get(i)) + " is not taken, but by the server");
      }
    }
    Columns batch = parsed(declared, both);
    compare("in binary", both, sent(declared, batch, true), meant, differences);
    compare("read back", both, readBack(declared, both.size()), meant, differences);
    compare("in text", both, sent(declared, batch, false), meant, differences);
    List<byte[]> answers = new ArrayList<>();
    for (@Nullable String answer : servers) {
      if (answer != null) {
        answers.add(answer.getBytes(StandardCharsets.UTF_8));
      }
    }
    return new Outcome(
        differences.subList(0, Math.min(SHOWN_MAX, differences.size())),
        taken.cardinality(),
        spellings.size() - answers.size(),
        answers);
  }

  private static boolean isWholeNumber(Type type, byte[] spelling) {
    String text = new String(spelling, StandardCharsets.UTF_8).strip();
    return type instanceof Type.Int
        && text.matches("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?0*[0-9]{1,9})?")
        && text.matches(".*[.eE].*")
        && isWhole(new BigDecimal(text));
  }

  private static boolean isWhole(BigDecimal number) {
    return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
  }

  /// Infinite numbers, which no server before PostgreSQL 14 knows.
  private boolean isOfLaterServers(Type type, byte[] spelling) {
    try {
      return type instanceof Type.Decimal
          && connection.getMetaData().getDatabaseMajorVersion() < 14
          && new String(spelling, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT).contains("inf");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /// Whether a number is nought with an exponent, which the server refuses if it is below -16,383.
  private static boolean isZero(Type type, byte[] spelling) {
    return type instanceof Type.Decimal
        && new String(spelling, StandardCharsets.UTF_8).matches("[+-]?[0.]*0[0.]*[eE]-[0-9]+");
  }

  private static void compare(
      String way,
      List<byte[]> spellings,
      List<@Nullable String> ours,
      List<@Nullable String> servers,
      List<String> differences) {
    assertThat(ours).as(way).hasSameSizeAs(spellings);
    for (int i = 0; i < ours.size(); i++) {
      String own = String.valueOf(ours.get(i));
      if (!own.equals(servers.get(i))) {
        differences.add(
            "%s is %s %s, but %s to the server"
                .formatted(shown(spellings.get(i)), cut(own), way, cut(servers.get(i))));
      }
    }
  }

  private static String shown(byte[] spelling) {
    return "‹" + cut(new String(spelling, StandardCharsets.UTF_8)) + "›";
  }

  private static String cut(@Nullable String text) {
    String all = String.valueOf(text);
    return all.length() <= 200 ? all : all.substring(0, 200) + "… (" + all.length() + ")";
  }

  /// Which spellings our parser and our encoder take.
  private static BitSet taken(
      PostgresType declared, List<byte[]> spellings, List<String> differences) {
    Type type = declared.type();
    ValueParser parser = Spelling.parser(type, SpellingStyle.ISO);
    BinaryEncoder encoder = new BinaryEncoder(slots(declared));
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    BitSet taken = new BitSet();
    int[] starts = new int[spellings.size()];
    for (int i = 0; i < starts.length; i++) {
      joined.write(NEIGHBOURS[i % NEIGHBOURS.length]);
      starts[i] = joined.size();
      joined.writeBytes(spellings.get(i));
    }
    byte[] among = joined.toByteArray();
    for (int i = 0; i < starts.length; i++) {
      byte[] alone = spellings.get(i);
      Columns one = Columns.standalone(schema(declared), 1);
      Columns other = Columns.standalone(schema(declared), 1);
      boolean reads = parser.parse(alone, 0, alone.length, one.vector(1), 0);
      int end = starts[i] + alone.length;
      boolean readsAmong = parser.parse(among, starts[i], end, other.vector(1), 0);
      if (reads != readsAmong
          || (reads
              && !Spelling.text(type, one.vector(1), 0)
                  .equals(Spelling.text(type, other.vector(1), 0)))) {
        differences.add(shown(alone) + " is not the same alone and among others");
      }
      one.filled(1, 0, new Location("", 0, 0, 0, -1), null);
      encoder.begin(one, new byte[0]);
      if (reads && isWellFormed(type, alone) && encoder.row(0, null)) {
        taken.set(i);
      }
    }
    return taken;
  }

  /// What is not the parser's to say, but is said before values are sent.
  private static boolean isWellFormed(Type type, byte[] spelling) {
    return switch (type) {
      case Type.Json _ -> JsonCheck.isValid(spelling, 0, spelling.length);
      case Type.Text _ -> Utf8.firstInvalid(spelling, 0, spelling.length) < 0;
      case Type.Bool _, Type.Numeric _, Type.Temporal _, Type.Uuid _, Type.Bytes _, Type.Opaque _ ->
          true;
    };
  }

  private static Schema schema(PostgresType declared) {
    return new Schema(
        slots(declared).stream()
            .map(loadColumn -> new Column(loadColumn.name(), loadColumn.type().type(), true, null))
            .toList(),
        List.of());
  }

  private static List<LoadColumn> slots(PostgresType declared) {
    PostgresType number = PostgresTypes.made(new Type.Int(32));
    return List.of(
        new LoadColumn("n", number, true, false), new LoadColumn("v", declared, true, false));
  }

  private static Columns parsed(PostgresType declared, List<byte[]> spellings) {
    ValueParser parser = Spelling.parser(declared.type(), SpellingStyle.ISO);
    Columns batch = Columns.standalone(schema(declared), Math.max(1, spellings.size()));
    Vector vector = batch.vector(1);
    for (int row = 0; row < spellings.size(); row++) {
      byte[] spelling = spellings.get(row);
      ((LongVector) batch.vector(0)).values[row] = row;
      assertThat(parser.parse(spelling, 0, spelling.length, vector, row)).isTrue();
    }
    batch.filled(spellings.size(), 0, new Location("", 0, 0, 0, -1), null);
    return batch;
  }

  /// What the server has after a COPY of ours, as it spells it.
  private List<@Nullable String> sent(PostgresType declared, Columns batch, boolean binary) {
    List<LoadColumn> slots = slots(declared);
    RowEncoder encoder = binary ? new BinaryEncoder(slots) : new TextEncoder(slots);
    encoder.begin(batch, new byte[0]);
    for (int row = 0; row < batch.rows(); row++) {
      assertThat(encoder.row(row, null)).isTrue();
    }
    ByteArrayOutputStream copy = new ByteArrayOutputStream();
    if (binary) {
      copy.writeBytes(BinaryEncoder.header());
    }
    copy.write(encoder.bytes, 0, encoder.used);
    if (binary) {
      copy.writeBytes(BinaryEncoder.trailer());
    }
    execute("DROP TABLE IF EXISTS trial");
    execute("CREATE TEMP TABLE trial (n integer, v " + declared.declared() + ")");
    try {
      copyManager()
          .copyIn(
              "COPY trial FROM STDIN (FORMAT " + (binary ? "binary)" : "text)"),
              new ByteArrayInputStream(copy.toByteArray()));
    } catch (SQLException | IOException e) {
      throw new AssertionError("the server does not take what it reads itself", e);
    }
    return texts("SELECT v::text FROM trial ORDER BY n");
  }

  /// What our decoder makes of what the server has, in our spelling.
  private List<@Nullable String> readBack(PostgresType declared, int rows) {
    BinaryDecoder decoder =
        new BinaryDecoder(List.of(new TableColumn("v", declared, false, false, "", "", true)));
    Schema schema = new Schema(List.of(new Column("v", declared.type(), true, null)), List.of());
    Columns batch = Columns.standalone(schema, 1);
    List<@Nullable String> texts = new ArrayList<>();
    try {
      CopyOut copy =
          copyManager().copyOut("COPY (SELECT v FROM trial ORDER BY n) TO STDOUT (FORMAT binary)");
      for (byte[] row = copy.readFromCopy(); row != null; row = copy.readFromCopy()) {
        int start = texts.isEmpty() ? BinaryDecoder.headerLength(row) : 0;
        if (texts.size() < rows) {
          decoder.begin(batch, row);
          decoder.decode(row, start, row.length, 0);
          texts.add(Spelling.text(declared.type(), batch.vector(0), 0));
        } else {
          assertThat(BinaryDecoder.isEnd(row, start)).isTrue();
        }
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return texts;
  }

  private CopyManager copyManager() throws SQLException {
    return connection.unwrap(PGConnection.class).getCopyAPI();
  }

  /// How the server spells what it reads, null if it does not; bytes that are no text of its never
  /// reach a type's input.
  private List<@Nullable String> servers(String declared, List<byte[]> spellings) {
    String reading = "pg_temp.reading_" + declared.replaceAll("[^a-z0-9]", "_");
    execute(
        "CREATE OR REPLACE FUNCTION %s(v text) RETURNS text LANGUAGE plpgsql AS $$BEGIN RETURN v::%s::text; EXCEPTION WHEN data_exception OR program_limit_exceeded OR statement_too_complex THEN RETURN NULL; END$$"
            .formatted(reading, declared));
    @Nullable String[] readable = new String[spellings.size()];
    for (int i = 0; i < readable.length; i++) {
      byte[] spelling = spellings.get(i);
      if (Utf8.firstInvalid(spelling, 0, spelling.length) < 0) {
        readable[i] = new String(spelling, StandardCharsets.UTF_8);
      }
    }
    String query =
        "SELECT CASE WHEN v IS NOT NULL THEN %s(v) END FROM unnest(?::text[]) WITH ORDINALITY AS t (v, n) ORDER BY n"
            .formatted(reading);
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setArray(1, connection.createArrayOf("text", readable));
      try (ResultSet rows = statement.executeQuery()) {
        return texts(rows);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private List<@Nullable String> texts(String query) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return texts(rows);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static List<@Nullable String> texts(ResultSet rows) throws SQLException {
    List<@Nullable String> texts = new ArrayList<>();
    while (rows.next()) {
      texts.add(rows.getString(1));
    }
    return texts;
  }

  private void execute(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError("the test's own SQL fails: " + sql, e);
    }
  }
}
