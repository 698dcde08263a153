package millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import org.junit.jupiter.api.Test;

/// PostgreSQL spells numbers, dates and times as we do, and reads our spellings as the same values.
class PostgresSpellingTest {

  private static final int SAMPLES = 20_000;
  private static final long DAY_FIRST = -2_451_545;
  private static final long DAY_LAST = 2_145_031_948;
  private static final long TIMESTAMP_DAY_LAST = 106_751_982;

  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);

  @Test
  void floatsOf64Bits() throws SQLException {
    assertSpelledAlike(
        "float8",
        spellings(
            new Type.Float(64),
            i -> doubles(i % 2 == 0 ? Double.longBitsToDouble(random.nextLong()) : amount(i))));
  }

  @Test
  void floatsOf32Bits() throws SQLException {
    assertSpelledAlike(
        "float4",
        spellings(
            new Type.Float(32),
            i -> doubles(i % 2 == 0 ? Float.intBitsToFloat(random.nextInt()) : (float) amount(i))));
  }

  @Test
  void dates() throws SQLException {
    List<Long> days = new ArrayList<>(List.of(DAY_FIRST, DAY_LAST, 0L, -1L));
    random.longs(SAMPLES, DAY_FIRST, DAY_LAST).forEach(days::add);
    List<String> spelled = spellings(new Type.Date(), days);
    assertSpelledAlike("date", spelled);
    assertThat(ask("v::date - date '2000-01-01'", spelled))
        .isEqualTo(days.stream().map(String::valueOf).toList());
  }

  @Test
  void times() throws SQLException {
    List<Long> micros = new ArrayList<>(List.of(0L, Temporals.DAY_MICROS));
    random.longs(SAMPLES, 0, Temporals.DAY_MICROS).forEach(micros::add);
    assertSpelledAlike("time", spellings(new Type.Time(), micros));
  }

  @Test
  void timestamps() throws SQLException {
    List<Long> micros = new ArrayList<>(List.of(DAY_FIRST * Temporals.DAY_MICROS));
    micros.add((TIMESTAMP_DAY_LAST + 1) * Temporals.DAY_MICROS - 1);
    random
        .longs(SAMPLES, DAY_FIRST * Temporals.DAY_MICROS, TIMESTAMP_DAY_LAST * Temporals.DAY_MICROS)
        .forEach(micros::add);
    List<String> local = spellings(new Type.Timestamp(false), micros);
    List<String> instants = spellings(new Type.Timestamp(true), micros);
    assertSpelledAlike("timestamp", local);
    assertSpelledAlike("timestamptz", instants);
    List<String> days = micros.stream().map(PostgresSpellingTest::day).toList();
    assertThat(ask("date_trunc('day', v::timestamp)::date - date '2000-01-01'", local))
        .isEqualTo(days);
    assertThat(ask("date_trunc('day', v::timestamptz)::date - date '2000-01-01'", instants))
        .isEqualTo(days);
  }

  private static String day(long micros) {
    return Long.toString(Math.floorDiv(micros, Temporals.DAY_MICROS));
  }

  private double amount(int i) {
    return random.nextLong(-100_000_000_000L, 100_000_000_000L) / Math.pow(10, i % 19);
  }

  private static Vector doubles(double value) {
    DoubleVector vector = new DoubleVector(1);
    vector.values[0] = value;
    return vector;
  }

  private static List<String> spellings(Type type, List<Long> values) {
    return values.stream()
        .map(value -> {
          LongVector vector = new LongVector(1);
          vector.values[0] = value;
          return Spelling.text(type, vector, 0);
        })
        .toList();
  }

  private static List<String> spellings(Type type, IntFunction<Vector> values) {
    List<String> spelled = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      spelled.add(Spelling.text(type, values.apply(i), 0));
    }
    return spelled;
  }

  private static void assertSpelledAlike(String type, List<String> spelled) throws SQLException {
    List<String> servers = ask("v::" + type + "::text", spelled);
    assertThat(servers).hasSameSizeAs(spelled);
    List<String> different = new ArrayList<>();
    for (int i = 0; i < spelled.size(); i++) {
      if (!servers.get(i).equals(spelled.get(i))) {
        different.add(spelled.get(i) + " is " + servers.get(i) + " to the server");
      }
    }
    assertThat(different).isEmpty();
  }

  /// What the server makes of each.
  private static List<String> ask(String expression, List<String> values) throws SQLException {
    PostgresServer server = PostgresServer.embedded();
    String sql =
        "SELECT ("
            + expression
            + ")::text FROM unnest(?::text[]) WITH ORDINALITY t(v, n)"
            + " ORDER BY n";
    List<String> answers = new ArrayList<>();
    try (Connection connection = server.connect(server.newDatabase());
        PreparedStatement statement = connection.prepareStatement(sql)) {
      connection.createStatement().execute("SET TIME ZONE 'UTC'");
      statement.setArray(1, connection.createArrayOf("text", values.toArray()));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          answers.add(new String(rows.getBytes(1), StandardCharsets.UTF_8));
        }
      }
    }
    return answers;
  }
}
