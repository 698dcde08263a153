package millrace.data.spelling;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.data.Columns;
import millrace.data.Type;
import millrace.engine.Rows;
import millrace.engine.transform.Converter;
import millrace.spi.write.Rejects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Rows are spelled so that every value can be told from every other, and as they were read.
class RowRecordTest {

  private static String text(byte[] record) {
    return new String(record, StandardCharsets.UTF_8);
  }

  @Test
  void everyValueComesBack() {
    List<@Nullable String> values =
        Arrays.asList(
            null,
            "",
            "\"",
            "\"\"",
            "a\"b",
            ",",
            "a\nb",
            "\r",
            " a ",
            "\uFEFFa",
            "é水\uD83D\uDE00",
            "\0",
            null);
    for (String first : values) {
      for (String last : values) {
        List<@Nullable String> row = new ArrayList<>(values);
        row.addFirst(first);
        row.addLast(last);
        assertThat(RowRecord.values(RowRecord.spell(row))).isEqualTo(row);
      }
    }
    assertThat(text(RowRecord.spell(values.subList(0, 7))))
        .isEqualTo(",\"\",\"\"\"\",\"\"\"\"\"\",\"a\"\"b\",\",\",\"a\nb\"\n");
  }

  /// What reads CSV may cut off spaces, and takes a byte order mark for no part of the first value.
  @Test
  void whatAReaderMayCutOffIsInQuotes() {
    assertThat(text(RowRecord.spell(List.of("\uFEFFa", "\uFEFF", " a", "a ", "a", "éa", "\uFEC0"))))
        .isEqualTo("\"\uFEFFa\",\"\uFEFF\",\" a\",\"a \",a,éa,\uFEC0\n");
  }

  @Test
  void aRowIsSpelledAsItWasReadWhateverConversionsHaveDoneToItsBatch() {
    List<String> names = List.of("n", "d", "t");
    List<Type> read = List.of(new Type.Int(32), new Type.Date(), Type.Text.UNLIMITED);
    List<Type> wanted =
        List.of(new Type.Decimal(9, 2), new Type.Timestamp(false), new Type.Text(3));
    List<String> refused = new ArrayList<>();
    Rejects rejects =
        new Rejects() {
          @Override
          public void reject(Reject reject) {
            refused.add(text(reject.record()));
          }

          @Override
          public boolean allowed() {
            return true;
          }
        };
    Columns batch =
        Rows.of(
            names,
            read,
            List.of("1|2024-01-01|abcd", "2|2024-01-02|abc", "3|NULL|long", "4|2024-01-04|NULL"));
    Columns converted =
        Converter.between(Rows.schema(names, read), Rows.schema(names, wanted), rejects)
            .apply(batch);
    assertThat(refused).containsExactly("1,2024-01-01,abcd\n", "3,,long\n");
    assertThat(text(RowRecord.of(converted, 0))).isEqualTo("2,2024-01-02,abc\n");
    assertThat(text(RowRecord.of(converted, 1))).isEqualTo("4,2024-01-04,\n");
  }
}
