package millrace.engine.transform;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.Rows;
import millrace.spi.write.Rejects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/// One converter sees all batches of its lane: what one batch held must leave no trace in the next.
class ConverterBatchesTest {

  private static final List<String> NAMES = List.of("a", "t", "d");
  private static final List<Type> FROM =
      List.of(new Type.Int(64), Type.Text.UNLIMITED, new Type.Decimal(12, 2));
  private static final Schema TO =
      Rows.schema(NAMES, List.of(new Type.Int(16), new Type.Text(2), new Type.Decimal(4, 2)));

  /// A row as text, and whether each of its values fits.
  private record Given(String text, boolean fits) {

    /// @param bits one for each column: whether its value is too large
    static Given of(int number, int bits) {
      String a = (bits & 1) == 0 ? "" + number : "9" + "0".repeat(5) + number;
      String t = (bits & 2) == 0 ? "x" + number % 10 : "long" + number;
      String d = (bits & 4) == 0 ? number % 10 + ".50" : "1234.50";
      return new Given(a + "|" + t + "|" + d, bits == 0);
    }
  }

  @Property
  void everyRowOfEveryBatchArrivesOnceOrIsSetAsideOnce(
      @ForAll @Size(min = 1, max = 6) List<@Size(4) List<@IntRange(max = 10) Integer>> batches) {
    List<String> aside = new ArrayList<>();
    Rejects rejects =
        new Rejects() {
          @Override
          public void reject(Reject reject) {
            aside.add(new String(reject.record(), UTF_8));
          }

          @Override
          public boolean allowed() {
            return true;
          }
        };
    Converter converter = Converter.between(Rows.schema(NAMES, FROM), TO, rejects);
    int number = 0;
    for (List<Integer> bits : batches) {
      List<Given> given = new ArrayList<>();
      for (int each : bits) {
        // Most rows are good, so that a mark that stays is seen.
        given.add(Given.of(number++ % 90 + 10, each > 7 ? 0 : each));
      }
      aside.clear();
      Columns batch =
          Rows.withOrigin(Rows.of(NAMES, FROM, given.stream().map(Given::text).toList()));
      Columns converted = converter.apply(batch);
      assertThat(Rows.texts(converted))
          .containsExactlyElementsOf(given.stream().filter(Given::fits).map(Given::text).toList());
      List<String> bad = new ArrayList<>();
      for (int row = 0; row < given.size(); row++) {
        if (!given.get(row).fits) {
          bad.add("record " + row + "\n");
        }
      }
      assertThat(aside).containsExactlyInAnyOrderElementsOf(bad);
      converted.release();
    }
  }
}
