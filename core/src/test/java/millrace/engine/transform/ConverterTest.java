package millrace.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.RowRecord;
import millrace.engine.Rows;
import millrace.engine.Types;
import millrace.fault.Fault;
import millrace.fault.Location;
import millrace.spi.write.Rejects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What arrives of values whose column has another type in the target.
class ConverterTest {

  /// Keeps what is set aside.
  private static final class Kept implements Rejects {
    private final List<Reject> rejects = new ArrayList<>();

    @Override
    public void reject(Reject reject) {
      rejects.add(reject);
    }

    @Override
    public boolean allowed() {
      return true;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "int16, int64, -32768, -32768",
    "int64, int32, 2147483647, 2147483647",
    "int64, int32, 2147483648, rejected",
    "int64, int16, -32768, -32768",
    "int64, int16, -32769, rejected",
    "'int64', 'decimal(12,2)', 5, 5.00",
    "'int64', 'decimal(12,2)', 9999999999, 9999999999.00",
    "'int64', 'decimal(12,2)', 10000000000, rejected",
    "'int64', 'decimal(12,2)', -9223372036854775808, rejected",
    "'int64', 'decimal(38,2)', -9223372036854775808, -9223372036854775808.00",
    "'int64', decimal, 5, 5",
    "'decimal(12,2)', int16, 5.00, 5",
    "'decimal(12,2)', int16, -32768.00, -32768",
    "'decimal(12,2)', int16, 5.10, rejected",
    "'decimal(12,2)', int16, 32768.00, rejected",
    "'decimal(12,2)', int16, NaN, rejected",
    "'decimal(12,2)', 'decimal(12,4)', 12345678.91, 12345678.9100",
    "'decimal(12,2)', 'decimal(12,4)', 123456789.00, rejected",
    "'decimal(12,4)', 'decimal(12,2)', 5.1200, 5.12",
    "'decimal(12,4)', 'decimal(12,2)', 5.1230, rejected",
    "'decimal(12,4)', 'decimal(12,2)', NaN, NaN",
    "'decimal(12,2)', 'decimal(4,2)', -99.99, -99.99",
    "'decimal(12,2)', 'decimal(4,2)', -100.00, rejected",
    "'decimal(12,2)', decimal, 5.10, 5.10",
    "'decimal(12,2)', 'decimal(38,4)', NaN, NaN",
    "decimal, 'decimal(12,2)', 5.1000, 5.10",
    "decimal, 'decimal(12,2)', 5.1001, rejected",
    "decimal, 'decimal(12,2)', Infinity, rejected",
    "decimal, 'decimal(12,2)', NaN, NaN",
    "decimal, 'decimal(38,4)', 5, 5.0000",
    "decimal, int32, 5.000, 5",
    "decimal, int32, 5.001, rejected",
    "decimal, int32, 1000, 1000",
    "'decimal(38,4)', 'decimal(20,2)', 123456789012345678.9900, 123456789012345678.99",
    "'decimal(38,4)', 'decimal(20,2)', 1234567890123456789.0000, rejected",
    "int64, float64, 9007199254740992, 9.007199254740992e+15",
    "int64, float64, 9007199254740993, rejected",
    "int64, float64, 1152921504606846976, 1.152921504606847e+18",
    "int32, float32, 16777216, 1.6777216e+07",
    "int32, float32, 16777217, rejected",
    "'decimal(12,2)', float64, 748766.98, 748766.98",
    "'decimal(12,2)', float32, 748766.98, rejected",
    "'decimal(12,2)', float64, NaN, NaN",
    "decimal, float64, 0.12345678901234567890, rejected",
    "decimal, float64, Infinity, Infinity",
    "float32, float64, 0.1, 0.10000000149011612",
    "float32, float64, NaN, NaN",
    "float64, float32, 0.5, 0.5",
    "float64, float32, -Infinity, -Infinity",
    "float64, float32, NaN, NaN",
    "float64, float32, 0.1, rejected",
    "date, timestamp, 2024-02-29, 2024-02-29 00:00:00",
    "date, timestamp, -infinity, -infinity",
    "date, timestamp, 5874897-12-31, rejected",
    "boolean, text, TRUE, true",
    "float32, text, 0.1, 0.1",
    "timestamptz, text, 2024-02-29 12:00:00+09, 2024-02-29 03:00:00+00",
    "uuid, text, C0DE0000111122223333444455556666, c0de0000-1111-2222-3333-444455556666",
    "text, uuid, C0DE0000111122223333444455556666, c0de0000-1111-2222-3333-444455556666",
    "text, uuid, c0de, rejected",
    "bytes, text, \\x00ff, \\x00ff",
    "text, bytes, \\x00ff, \\x00ff",
    "text, boolean, yes, true",
    "text, int32, 007, 7",
    "text, int32, seven, rejected",
    "text, 'decimal(12,2)', 1.5, 1.50",
    "text, date, 2024-02-30, rejected",
    "text, timestamptz, 2024-02-29T12:00:00Z, 2024-02-29 12:00:00+00",
    "text, json, '{\"a\":1}', '{\"a\":1}'",
    "text, json, '{a}', rejected",
    "json, text, [1], [1]",
    "opaque, text, 10.0.0.1/8, 10.0.0.1/8",
    "text, opaque, 10.0.0.1/8, 10.0.0.1/8",
    "int64, int64, NULL, NULL",
    "int64, int32, NULL, NULL",
    "text, int32, NULL, NULL",
    "int64, text, NULL, NULL",
    "text, text(3), NULL, NULL",
    "text, text(3), 水車\uD83C\uDF0A, 水車\uD83C\uDF0A",
    "text, text(3), 水車\uD83C\uDF0Aa, rejected",
    "text, text(3), abc, abc",
    "text, text(3), 'abc ', rejected",
    "text, text(3 utf-16), 水\uD83C\uDF0A, 水\uD83C\uDF0A",
    "text, text(3 utf-16), 水車\uD83C\uDF0A, rejected",
    "text, text(4 bytes), 水a, 水a",
    "text, text(4 bytes), 水車, rejected",
    "text(3), text(2), abc, rejected",
    "text(2), text(3), ab, ab",
    "text(3), text(4 bytes), 水車, rejected",
    "json, text(3), '[12]', rejected",
    "opaque, text(3), 10.0, rejected",
    "int64, text(3), -99, -99",
    "int64, text(3), -100, rejected",
    "boolean, text(4 bytes), FALSE, rejected",
  })
  void values(String from, String to, String value, String arrives) {
    Kept kept = new Kept();
    List<String> names = List.of("a", "n");
    List<Type> types = List.of(Types.of(from), new Type.Int(64));
    Schema target = Rows.schema(List.of("b", "n"), List.of(Types.of(to), new Type.Int(64)));
    Converter converter = Converter.between(Rows.schema(names, types), target, kept);
    boolean isRejected = arrives.equals("rejected");
    // By one converter, in batches of one size: what one has held must not be seen in the next.
    for (List<String> values :
        List.of(
            List.of(value, "NULL", "NULL", "NULL"),
            List.of("NULL", value, "NULL", value),
            List.of("NULL", "NULL", "NULL", "NULL"),
            List.of(value, value, "NULL", "NULL"))) {
      kept.rejects.clear();
      List<String> rows = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      for (String each : values) {
        int number = rows.size() + 7;
        rows.add(each + "|" + number);
        if (!each.equals(value)) {
          expected.add("NULL|" + number);
        } else if (!isRejected) {
          expected.add(arrives + "|" + number);
        }
      }
      Columns converted = converter.apply(Rows.of(names, types, rows));
      assertThat(converted.schema()).isEqualTo(target);
      assertThat(Rows.texts(converted)).as("%s", values).containsExactlyElementsOf(expected);
      assertThat(kept.rejects).hasSize(rows.size() - expected.size());
      converted.release();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "timestamp, timestamptz, it would need a time zone",
    "timestamptz, timestamp, it would need a time zone",
    "date, timestamptz, it would need a time zone",
    "timestamp, date, the time of day would be lost",
    "timestamp, time, the date would be lost",
    "float64, int64, a floating-point number is not exact",
    "float64, 'decimal(12,2)', a floating-point number is not exact",
    "boolean, int32, a value of boolean is not one of int32",
    "json, bytes, a value of json is not one of bytes",
    "opaque, int64, a value of opaque is not one of int64",
  })
  void whatWouldLoseSomethingIsRefusedBeforeTheFirstRow(String from, String to, String why) {
    Schema source = Rows.schema(List.of("a"), List.of(Types.of(from)));
    Schema target = Rows.schema(List.of("b"), List.of(Types.of(to)));
    assertThatThrownBy(() -> Converter.between(source, target, new Kept()))
        .isInstanceOf(Fault.User.class)
        .hasMessage(
            "Values would not arrive as they are: column \"a\" is %s in the source and %s in the"
                + " target: %s.",
            from, to, why);
  }

  @Test
  void aBadRowIsSetAsideWithItsRecordAndTheOthersArrive() {
    Columns batch =
        Rows.withOrigin(
            Rows.of(
                List.of("id", "n", "m"),
                List.of(new Type.Int(64), Type.Text.UNLIMITED, Type.Text.UNLIMITED),
                List.of("1|5|6", "70000|x|y", "3|" + "9".repeat(70) + "|7", "4|8|9")));
    Schema target =
        Rows.schema(
            List.of("id", "n", "m"), List.of(new Type.Int(16), new Type.Int(32), new Type.Int(64)));
    Kept kept = new Kept();
    Columns converted = Converter.between(batch.schema(), target, kept).apply(batch);

    assertThat(Rows.texts(converted)).containsExactly("1|5|6", "4|8|9");
    assertThat(Rows.record(converted, 1)).isEqualTo("record 3\n");
    assertThat(converted.offset(1)).isEqualTo(3);
    assertThat(kept.rejects).hasSize(2);
    Rejects.Reject first = kept.rejects.get(0);
    assertThat(first.resource()).isEqualTo("rows.csv");
    assertThat(first.row()).isEqualTo(102);
    assertThat(first.line()).isEqualTo(103);
    assertThat(first.byteOffset()).isEqualTo(1009);
    assertThat(first.column()).isEqualTo("id");
    assertThat(first.reason()).isEqualTo("\"70000\" does not fit int16.");
    assertThat(first.record()).asString().isEqualTo("record 1\n");
    assertThat(kept.rejects.get(1).column()).isEqualTo("n");
    assertThat(kept.rejects.get(1).reason())
        .isEqualTo("\"" + "9".repeat(60) + "…\" does not fit int32.");
  }

  @ParameterizedTest
  @CsvSource({
    "text(3), text, true",
    "text(3), text(3), true",
    "text(2), text(3), true",
    "text(3 utf-16), text(3), true",
    "text(3), text(4 bytes), false",
    "text(4 bytes), text(3), false",
    "text(2), text(3 utf-16), false",
    "text, text(3), false",
    "text(3), text(2), false",
  })
  void textThatIsShortEnoughByItsTypeIsNotLookedAt(String from, String to, boolean moves) {
    Conversion conversion = Conversions.of(Types.of(from), Types.of(to));
    assertThat(conversion instanceof Conversion.Moved).isEqualTo(moves);
  }

  @Test
  void aColumnThatIsDroppedStaysInTheRowsAsTheyWereRead() {
    Columns batch =
        Rows.of(
            List.of("a", "b", "c"),
            List.of(new Type.Int(64), Type.Text.UNLIMITED, Type.Text.UNLIMITED),
            List.of("1|x|5", "2|y|none", "3|z|6"));
    Schema target = Rows.schema(List.of("b", "c"), List.of(Type.Text.UNLIMITED, new Type.Int(32)));
    Columns converted =
        Converter.between(batch.schema(), List.of(1, 2), target, new Kept()).apply(batch);
    assertThat(Rows.texts(converted)).containsExactly("x|5", "z|6");
    RowRecord record = RowRecord.of(batch.schema());
    assertThat(record.spell(converted.asRead().vectors(), 1)).asString().startsWith("3,z,6");
  }

  @Test
  void textThatIsTooLongIsSetAsideWithItsLength() {
    Columns batch =
        Rows.of(
            List.of("t"),
            List.of(Type.Text.UNLIMITED),
            List.of("abc", "abcd", "\uD83C\uDF0A水\uD83C\uDF0A"));
    Schema target = Rows.schema(List.of("t"), List.of(new Type.Text(3, Type.Text.Unit.UTF16)));
    Kept kept = new Kept();
    assertThat(Rows.texts(Converter.between(batch.schema(), target, kept).apply(batch)))
        .containsExactly("abc");
    assertThat(kept.rejects)
        .extracting(Rejects.Reject::reason)
        .containsExactly(
            "\"abcd\" does not fit text(3 utf-16): it has 4 UTF-16 units.",
            "\"\uD83C\uDF0A水\uD83C\uDF0A\" does not fit text(3 utf-16): it has 5 UTF-16 units.");
  }

  @Test
  void columnsThatStayCrossWithoutACopyAndBothBatchesGoRound() {
    Schema source = Rows.schema(List.of("t", "n"), List.of(Type.Text.UNLIMITED, new Type.Int(64)));
    Schema target =
        Rows.schema(List.of("t", "n"), List.of(Type.Text.UNLIMITED, Type.Text.UNLIMITED));
    ColumnsPool pool = new ColumnsPool(source, 4);
    Converter converter = Converter.between(source, target, new Kept());
    byte[] buffer = {'o', 'n', 'e', 't', 'w', 'o'};
    Columns converted = null;
    for (int turn = 0; turn < 3; turn++) {
      Columns batch = pool.take();
      batch.bytes(0).view(buffer);
      for (int row = 0; row < 2; row++) {
        batch.bytes(0).starts[row] = 3 * row;
        batch.bytes(0).ends[row] = 3 * row + 3;
        batch.longs(1).values[row] = turn * 10L + row;
      }
      batch.filled(2, 6, new Location("t", 0, 1, 0, -1), null);
      Columns next = converter.apply(batch);
      assertThat(next.bytes(0).bytes).isSameAs(buffer);
      assertThat(Rows.texts(next)).containsExactly("one|" + turn * 10, "two|" + (turn * 10 + 1));
      if (converted != null) {
        assertThat(next).isSameAs(converted);
      }
      next.release();
      converted = next;
      Columns again = pool.take();
      assertThat(again).isSameAs(batch);
      again.release();
    }
  }
}
