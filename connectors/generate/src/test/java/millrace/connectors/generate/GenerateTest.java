package millrace.connectors.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.Split;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Reading;
import millrace.testkit.TypeSamples;
import millrace.text.Amount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GenerateTest {

  private static final Map<String, String> FEW = Map.of("rows", "3000", "seed", "7");

  @ParameterizedTest
  @ValueSource(strings = {"unload", "tokens", "postal", "meters", "wide"})
  void theSameSeedGivesTheSameRowsHoweverTheyAreSplit(String shape) {
    try (Source one = Made.source(shape, FEW);
        Source other = Made.source(shape, FEW)) {
      List<String> whole = Made.rows(one, Long.MAX_VALUE);
      assertThat(whole).hasSize(3000);
      assertThat(Made.rows(other, 30_000)).isEqualTo(whole);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"unload", "tokens", "postal", "meters", "wide"})
  void aSplitNeedsNoneOfThoseBeforeIt(String shape) {
    try (Source source = Made.source(shape, FEW)) {
      List<Split> splits = Made.splits(source, 20_000);
      assertThat(splits).hasSizeGreaterThan(2);
      List<String> inOrder = Made.rows(source, splits);
      Collections.reverse(splits);
      List<String> backwards = new ArrayList<>();
      for (Split split : splits) {
        backwards.addAll(0, Made.rows(source, List.of(split)));
      }
      assertThat(backwards).isEqualTo(inOrder);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"unload", "tokens", "postal", "meters", "wide"})
  void anotherSeedGivesOtherRows(String shape) {
    try (Source one = Made.source(shape, FEW);
        Source other = Made.source(shape, Map.of("rows", "3000", "seed", "8"))) {
      assertThat(Made.rows(other, Long.MAX_VALUE)).isNotEqualTo(Made.rows(one, Long.MAX_VALUE));
    }
  }

  @ParameterizedTest
  @CsvSource({"postal,0", "meters,3", "wide,0"})
  void keysAreUnique(String shape, int lastOfKey) {
    try (Source source = Made.source(shape, FEW)) {
      HashSet<String> keys = new HashSet<>();
      for (String row : Made.rows(source, Long.MAX_VALUE)) {
        List<String> values = List.of(row.split("\\|", lastOfKey + 2));
        assertThat(keys.add(String.join("|", values.subList(0, lastOfKey + 1)))).isTrue();
      }
      assertThat(keys).hasSize(3000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"unload", "tokens", "postal", "meters"})
  void columnsThatCantBeMissingAreDeclaredSoAndNeverAre(String shape) {
    try (Source source = Made.source(shape, FEW)) {
      assertThat(source.describe(new ColumnRequest.Typed()).description().schema().columns())
          .noneMatch(Column::nullable);
      assertThat(Made.rows(source, Long.MAX_VALUE)).noneMatch(row -> row.contains("null"));
    }
  }

  @Test
  void aReadUnitInRowsIsTheSizeOfABatch() {
    try (Source source = Made.source("tokens", FEW)) {
      List<Integer> sizes = new ArrayList<>();
      try (ReadSession session = Reading.open(Made.described(source), Long.MAX_VALUE);
          Reader reader = session.reader(Reading.context(new Amount(700, false)))) {
        reader.start(Made.splits(source, Long.MAX_VALUE).getFirst());
        for (millrace.data.Batch batch = reader.next(); batch != null; batch = reader.next()) {
          sizes.add(batch.rows());
        }
      }
      assertThat(sizes).containsExactly(700, 700, 700, 700, 200);
    }
  }

  @Test
  void batchesSayWhereTheyBegin() {
    try (Source source = Made.source("tokens", FEW)) {
      List<Long> firstRows = new ArrayList<>();
      Made.read(
          source, Made.splits(source, 21_000), batch -> firstRows.add(batch.location().firstRow()));
      assertThat(firstRows).containsExactly(1L, 1001L, 2001L);
    }
  }

  @Test
  void tokensAreTwentyLettersAndDigits() {
    try (Source source = Made.source("tokens", FEW)) {
      assertThat(source.describe(new ColumnRequest.Typed()).description().schema().column(0).type())
          .isEqualTo(new Type.Text(20));
      assertThat(Made.rows(source, Long.MAX_VALUE))
          .allMatch(row -> row.matches("[0-9A-Za-z]{20}"))
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void metersGiveEachDeviceOneRowASecondAndCrossMidnight() {
    try (Source source =
        Made.source(
            "meters", Map.of("rows", "7500", "devices", "2500", "start", "2024-02-29 23:59:59"))) {
      List<String> rows = Made.rows(source, Long.MAX_VALUE);
      long second =
          java.time.Duration.between(
                  java.time.LocalDateTime.of(2000, 1, 1, 0, 0),
                  java.time.LocalDateTime.of(2024, 2, 29, 23, 59, 59))
              .toSeconds();
      assertThat(rows.get(0)).startsWith("0|0|0|" + second + "000000|");
      assertThat(rows.get(1)).startsWith("0|0|1|" + second + "000000|");
      assertThat(rows.get(2499)).startsWith("2|4|99|" + second + "000000|");
      assertThat(rows.get(2500)).startsWith("0|0|0|" + (second + 1) + "000000|");
      assertThat(rows.get(7499)).startsWith("2|4|99|" + (second + 2) + "000000|");
    }
  }

  @Test
  void wideHasEveryTypeButTheOpaqueOneAndMissingValues() {
    try (Source source = Made.source("wide", Map.of("rows", "500", "width", "40"))) {
      List<Column> columns =
          source.describe(new ColumnRequest.Typed()).description().schema().columns();
      assertThat(columns).hasSize(40);
      HashSet<Class<?>> types = new HashSet<>();
      columns.forEach(column -> types.add(column.type().getClass()));
      assertThat(types).isEqualTo(TypeSamples.kinds());
      assertThat(Made.rows(source, Long.MAX_VALUE).toString().split("null", -1).length)
          .isBetween(39 * 500 / 9, 39 * 500 / 7);
    }
  }

  @Test
  void aThousandWideColumnsComeInSmallBatches() {
    try (Source source = Made.source("wide", Map.of("rows", "1000"))) {
      AtomicLong rows = new AtomicLong();
      Made.read(
          source,
          Made.splits(source, 16 << 20),
          batch -> {
            assertThat(batch.schema().width()).isEqualTo(1000);
            assertThat(batch.rows()).isLessThan(200);
            rows.addAndGet(batch.rows());
          });
      assertThat(rows.get()).isEqualTo(1000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"unload", "tokens", "postal", "meters"})
  void theSizeThatAShapeClaimsIsThatOfItsText(String shape) {
    try (Source source = Made.source(shape, Map.of("rows", "20000"))) {
      SourceDescription description = source.describe(new ColumnRequest.Typed()).description();
      assertThat(description.size().rows()).isEqualTo(20_000);
      AtomicLong claimed = new AtomicLong();
      AtomicLong counted = new AtomicLong();
      Made.read(
          source,
          Made.splits(source, 1 << 20),
          batch -> {
            claimed.addAndGet(batch.sourceBytes());
            counted.addAndGet(textBytes(batch));
          });
      assertThat(description.size().bytes()).isCloseTo(counted.get(), withinPercentage(2));
      assertThat(claimed.get()).isCloseTo(counted.get(), withinPercentage(2));
    }
  }

  /// Length of a batch as text, one separator a value.
  private static long textBytes(Columns batch) {
    long bytes = 0;
    for (int column = 0; column < batch.schema().width(); column++) {
      Type type = batch.schema().column(column).type();
      for (int row = 0; row < batch.rows(); row++) {
        bytes += 1;
        if (type.layout() == Type.Layout.BYTES) {
          bytes += batch.bytes(column).ends[row] - batch.bytes(column).starts[row];
        } else if (type instanceof Type.Timestamp) {
          bytes += "2000-01-01 00:00:00".length();
        } else if (type instanceof Type.Decimal) {
          bytes += BigDecimal.valueOf(batch.longs(column).values[row], 2).toString().length();
        } else {
          bytes += Long.toString(batch.longs(column).values[row]).length();
        }
      }
    }
    return bytes;
  }

  @Test
  void onlyTheColumnsWantedAreMadeAndTheirValuesStayTheSame() {
    Selection selection = new Selection(List.of("remark", "name"), null, Long.MAX_VALUE);
    try (Source some =
            new GenerateConnector()
                .source(Made.endpoint("unload", FEW), selection, new OpenContext());
        Source all = Made.source("unload", FEW)) {
      assertThat(some.describe(new ColumnRequest.Typed()).description().schema().names())
          .containsExactly("remark", "name");
      List<String> wanted =
          Made.rows(all, Long.MAX_VALUE).stream()
              .map(row -> row.split("\\|"))
              .map(values -> values[9] + "|" + values[0])
              .toList();
      assertThat(Made.rows(some, Long.MAX_VALUE)).isEqualTo(wanted);
    }
  }

  @Test
  void aKeyIsKeptOnlyWhereAllItsColumnsAre() {
    Selection whole =
        new Selection(
            List.of("time_stamp", "device_id", "floor_id", "building_id"), null, Long.MAX_VALUE);
    Selection part = new Selection(List.of("device_id", "device_load"), null, Long.MAX_VALUE);
    try (Source withKey =
            new GenerateConnector().source(Made.endpoint("meters", FEW), whole, new OpenContext());
        Source without =
            new GenerateConnector().source(Made.endpoint("meters", FEW), part, new OpenContext())) {
      assertThat(withKey.describe(new ColumnRequest.Typed()).description().schema().key())
          .containsExactly("building_id", "floor_id", "device_id", "time_stamp");
      assertThat(without.describe(new ColumnRequest.Typed()).description().schema().key())
          .isEmpty();
    }
  }

  @Test
  void noRowsAreNoSplits() {
    try (Source source = Made.source("unload", Map.of("rows", "0"))) {
      assertThat(Made.splits(source, 1 << 20)).isEmpty();
    }
  }

  @Test
  void anUnknownColumnIsRefusedByNameWithTheNearest() {
    Selection selection = new Selection(List.of("remarks"), null, Long.MAX_VALUE);
    assertThatThrownBy(() ->
            new GenerateConnector()
                .source(Made.endpoint("unload", FEW), selection, new OpenContext()))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessage("generate:unload has no column 'remarks'.");
              assertThat(fault.advice()).contains("'remark'", "opened_at");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unlaod    | rows=1           | no shape 'unlaod'          | Did you mean 'unload'?",
        "''        | rows=1           | names no shape             | unload, tokens, postal",
        "tpch.line | scale=1          | no shape 'tpch.line'       | tpch.lineitem",
        "tokens    | devices=3        | no parameter 'devices'     | It takes rows, seed.",
        "tpch.part | rows=3           | no parameter 'rows'        | It takes scale.",
        "tokens    | rows=many        | rows=many                  | rows=1000000",
        "tokens    | rows=-1          | rows=-1                    | rows=1000000",
        "tokens    | seed=0x1         | seed=0x1                   | seed=1",
        "meters    | start=noon       | start=noon                 | start=2019-04-01T23:55:00",
        "meters    | devices=0        | devices=0                  | devices=10000",
        "tpch.part | scale=0          | scale=0                    | scale=0.1",
        "tpch.part | scale=big        | scale=big                  | scale=0.1",
      })
  void aMistakeInTheEndpointIsNamedWithWhatToDo(
      String shape, String parameter, String message, String advice) {
    List<String> pair = List.of(parameter.split("="));
    Endpoint endpoint = Made.endpoint(shape, Map.of(pair.get(0), pair.get(1)));
    assertThatThrownBy(() ->
            new ConnectorRegistry(List.of(new GenerateConnector()))
                .of(endpoint)
                .source(endpoint, Selection.ALL, new OpenContext()))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining(message);
              assertThat(fault.advice()).contains(advice);
            });
  }

  @Test
  void madeRowsCantBeWritten() {
    assertThatThrownBy(() ->
            new GenerateConnector()
                .target(Made.endpoint("unload", FEW), WriteOptions.DEFAULT, new OpenContext()))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("can't be written");
  }

  @Test
  void aBatchGoesRoundInsteadOfBeingMadeAnew() {
    try (Source source = Made.source("tokens", Map.of("rows", "100000"))) {
      java.util.Set<Columns> batches = Collections.newSetFromMap(new java.util.IdentityHashMap<>());
      Made.read(source, Made.splits(source, Long.MAX_VALUE), batches::add);
      assertThat(batches).hasSize(1);
    }
  }
}
