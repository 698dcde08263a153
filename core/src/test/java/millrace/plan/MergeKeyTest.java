package millrace.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.spi.write.TargetColumn;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergeKeyTest {

  private static final Type ANY = new Type.Int(64);

  private static List<String> names(@Nullable String list) {
    return list == null ? List.of() : List.of(list.split(" "));
  }

  private static TargetColumn column(String name) {
    return new TargetColumn(name, ANY, null, true, false, "");
  }

  /// @param key what the user names
  /// @param own the target's key
  /// @param source the columns of the source, of which a key is the first if it has one
  /// @param into the target's columns that they go into; null if the target is made of them
  @ParameterizedTest
  @CsvSource({
    // The user's goes before the target's, and that before the source's.
    "b, a, a b c, true, A B C, B",
    "'b c', , a b c, true, , b c",
    ", b, a b c, true, A b C, b",
    ", , a b c, true, A B C, A",
    ", , a b c, true, , a",
    // Names of another case, and by position of other columns altogether.
    "'C b', , a b c, false, , c b",
    "z, , a b c, true, x y z, z",
    ", , a b c, true, x y z, x",
    "b, , a B, true, x b, b",
    // What is refused.
    ", , a b, false, A B, t has no primary key to merge by.",
    "d, , a b, true, , 'The key''s column \"d\" does not come from the source.'",
    ", 'a d', a b, false, a b, 'The key''s column \"d\" does not come from the source.'",
    "g, , a b, true, a b, 'Column g of t is computed, of which the target itself makes the"
        + " values: rows can''t be merged by it.'"
  })
  void theKeyIsTheUsersOrTheTargetsOrTheSources(
      @Nullable String key,
      @Nullable String own,
      String source,
      boolean hasKey,
      @Nullable String into,
      String settled) {
    List<Column> columns = names(source).stream().map(name -> Column.of(name, ANY)).toList();
    Schema incoming = new Schema(columns, hasKey ? List.of(columns.getFirst().name()) : List.of());
    List<TargetColumn> partners = names(into).stream().map(MergeKeyTest::column).toList();
    TargetColumn generated = new TargetColumn("g", ANY, null, true, false, "computed");
    TargetDescription target =
        TargetDescription.of("t", into == null ? State.ABSENT : State.THERE)
            .with("t", Stream.concat(partners.stream(), Stream.of(generated)).toList(), names(own));
    WriteOptions options = new WriteOptions(Mode.MERGE, false, names(key), false);
    String found;
    try {
      found = String.join(" ", MergeKey.settle(target, options, incoming, partners));
    } catch (Fault.User refused) {
      found = String.valueOf(refused.getMessage());
    }
    assertThat(found).isEqualTo(settled);
  }
}
