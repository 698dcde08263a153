package millrace.connectors.kudu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.client.AsyncKuduScanner;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.RowResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What of a table's definition is lost if the table is replaced: nothing without a word.
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KuduReplaceTest {

  private static final AtomicInteger TESTS = new AtomicInteger();

  private static final Schema ROWS =
      new Schema(
          List.of(
              new Column("id", new Type.Int(64), false, null),
              new Column("day", new Type.Int(32), false, null),
              Column.of("name", Type.Text.UNLIMITED)),
          List.of("id"));

  private final String name = "replaced.t" + TESTS.incrementAndGet();
  private final MemoryConnector memory = new MemoryConnector();

  private Copying into(WriteOptions options, Map<String, String> parameters) {
    memory.put("rows", ROWS, List.of(Row.of(1, 2, "a")));
    Endpoint to = KuduServers.shared().table(name, parameters);
    return Copying.of(memory, memory.endpoint("rows"), new KuduConnector(), to).landing(options);
  }

  private static WriteOptions options(Mode mode, boolean givesUp) {
    return givesUp
        ? new WriteOptions(mode, false, List.of(), false, WriteOptions.Types.SOURCE)
        : new WriteOptions(mode, false, List.of(), false);
  }

  private KuduTable opened() throws KuduException {
    return KuduServers.shared().client().openTable(name);
  }

  /// Also from a source that has no key, as a text file has none.
  @Test
  void keyBucketsEncodingAndCompressionStay() throws KuduException {
    into(
            options(Mode.CREATE, false),
            Map.of(
                "primary-key", "day,id",
                "partition-by", "hash(id) 7",
                "encoding", "name:plain",
                "compression", "name:zlib"))
        .run();
    memory.put("bare", Schema.of(ROWS.columns()), List.of(Row.of(1, 2, "a"), Row.of(1, 3, "b")));
    bare(Mode.REPLACE).run();
    assertThat(opened().getSchema().getPrimaryKeyColumns())
        .extracting(ColumnSchema::getName)
        .containsExactly("day", "id");
    assertThat(opened().getPartitionSchema().getHashBucketSchemas().getFirst().getNumBuckets())
        .isEqualTo(7);
    ColumnSchema text = opened().getSchema().getColumn("name");
    assertThat(text.getEncoding()).isEqualTo(ColumnSchema.Encoding.PLAIN_ENCODING);
    assertThat(text.getCompressionAlgorithm()).isEqualTo(ColumnSchema.CompressionAlgorithm.ZLIB);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "primary-key | id,day | primary key (id, day), partitions",
        "partition-by | range(id) 100 from 0 to 200 | partitions",
      })
  void whatTheNewTableWouldNotHaveIsNamed(String option, String value, String lost) {
    Map<String, String> old = Map.of(option, value);
    into(options(Mode.CREATE, false), old).run();
    Copying copying = into(options(Mode.REPLACE, false), Map.of());
    assertThatThrownBy(copying::run)
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining("its " + lost + " would be lost");
              assertThat(fault.advice()).contains("--types source");
            });
    into(options(Mode.REPLACE, false), old).run();
    assertThatThrownBy(copying::run).isInstanceOf(Fault.User.class);
    Copying accepted = into(options(Mode.REPLACE, true), Map.of());
    assertThat(accepted.plan().notes())
        .contains("the new table will not have the old one's " + lost);
    accepted.run();
    copying.run();
  }

  /// Kudu numbers the rows of a table whose key is not unique, in each tablet by itself.
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"APPEND", "TRUNCATE"})
  void valuesForTheNumberThatKuduGivesAreLeftOut(Mode mode) throws KuduException {
    Column id = new Column("id", new Type.Int(64), false, null);
    memory.put("bare", Schema.of(List.of(id)), List.of(Row.of(1)));
    bare(Mode.CREATE).run();
    String number = org.apache.kudu.Schema.getAutoIncrementingColumnName();
    memory.put(
        "bare",
        Schema.of(List.of(Column.of(number, new Type.Int(64)), id)),
        List.of(Row.of(900, 2), Row.of(900, 2)));
    assertThat(bare(mode).plan().notes())
        .containsOnlyOnce(
            "the target itself makes the values of column "
                + number
                + " (a number that Kudu gives each row): the source's are left out");
    bare(mode).run();
    assertThat(numbers(number)).hasSize(mode == Mode.APPEND ? 3 : 2).doesNotContain(900L);
  }

  private List<Long> numbers(String column) throws KuduException {
    List<Long> numbers = new ArrayList<>();
    for (RowResult row :
        KuduServers.shared()
            .client()
            .newScannerBuilder(opened())
            .readMode(AsyncKuduScanner.ReadMode.READ_AT_SNAPSHOT)
            .build()) {
      numbers.add(row.getLong(column));
    }
    return numbers;
  }

  private Copying bare(Mode mode) {
    return Copying.of(
            memory,
            memory.endpoint("bare"),
            new KuduConnector(),
            KuduServers.shared().table(name, Map.of()))
        .mode(mode);
  }
}
