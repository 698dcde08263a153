package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Location;
import millrace.spi.read.ColumnRequest;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The record of the MTU unloader, byte for byte, both ways.
class MtuTest {

  private static final String RECORD =
      "0000000148~~Foqvre~~,~~21530424004401~~,280731594835,~~dlG9HSUf~~,748766.98,"
          + "~~23240607215642~~,~~k7037   ~~,~~FFw5hZ12W~~,768478998939019,~~9LRhSbMaR9fBv~~,\r\n";

  private static final Map<String, String> MTU = Map.of("format", "mtu");

  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              Column.of("c1", new Type.Text(30)),
              Column.of("c2", new Type.Timestamp(false)),
              Column.of("c3", new Type.Int(64)),
              Column.of("c4", new Type.Text(30)),
              Column.of("c5", new Type.Decimal(12, 2)),
              Column.of("c6", new Type.Timestamp(false)),
              Column.of("c7", new Type.Text(8)),
              Column.of("c8", new Type.Text(30)),
              Column.of("c9", new Type.Int(64)),
              Column.of("c10", new Type.Text(30))));

  @TempDir Path folder;

  @Test
  void theRecordReadsAsItsTenFields() {
    Path file = Trial.file(folder, "b.dat", RECORD.repeat(3));
    assertThat(Trial.of(file, MTU).wanted(new ColumnRequest.Typed()).schema().columns())
        .extracting(column -> column.type().label())
        .containsExactly(
            "text",
            "timestamp",
            "int64",
            "text",
            "decimal(18,2)",
            "timestamp",
            "text",
            "text",
            "int64",
            "text");
    assertThat(Trial.of(file, MTU).wanted(new ColumnRequest.Typed()).rows())
        .hasSize(3)
        .containsOnly(
            List.of(
                "Foqvre",
                "2153-04-24 00:44:01",
                "280731594835",
                "dlG9HSUf",
                "748766.98",
                "2324-06-07 21:56:42",
                "k7037   ",
                "FFw5hZ12W",
                "768478998939019",
                "9LRhSbMaR9fBv"));
  }

  @Test
  void theRecordIsWrittenByteForByte() throws Exception {
    Path file = folder.resolve("b.dat");
    Trial.of(file, MTU).writeBatches(SCHEMA, List.of(record()));
    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).isEqualTo(RECORD);
  }

  @Test
  void whatIsReadIsWrittenTheSame() throws Exception {
    Path file = Trial.file(folder, "b.dat", RECORD.repeat(5));
    assertThat(new String(Trial.of(file, MTU).frames(), StandardCharsets.UTF_8))
        .isEqualTo(RECORD.repeat(5));
    Path other = folder.resolve("again.dat");
    Trial.of(other, MTU).mode(Mode.REPLACE).writeBatches(SCHEMA, List.of(record(), record()));
    assertThat(Files.readString(other)).isEqualTo(RECORD.repeat(2));
  }

  @Test
  void aMissingValueIsNothingBetweenCommas() throws Exception {
    Path file = folder.resolve("nulls.dat");
    Columns batch = record();
    batch.vector(0).nulls[0] = true;
    batch.vector(1).nulls[0] = true;
    batch.vector(2).nulls[0] = true;
    Trial.of(file, MTU).writeBatches(SCHEMA, List.of(batch));
    assertThat(Files.readString(file)).startsWith("0000000108,,,~~dlG9HSUf~~,");
    assertThat(Trial.of(file, MTU).rows().getFirst().subList(0, 4))
        .containsExactly(null, null, null, "dlG9HSUf");
  }

  @Test
  void aWrongLengthIsReportedAndTheNextRecordRead() {
    Path file = Trial.file(folder, "b.dat", RECORD + RECORD.replace("0148", "0150") + RECORD);
    List<Trial.Read> found = Trial.of(file, MTU).rejects().read();
    assertThat(found).extracting(Trial.Read::reject).filteredOn(each -> each != null).hasSize(1);
    assertThat(found)
        .extracting(Trial.Read::reject)
        .filteredOn(each -> each != null)
        .first()
        .satisfies(reject -> {
          assertThat(reject.row()).isEqualTo(2);
          assertThat(reject.byteOffset()).isEqualTo(RECORD.length());
          assertThat(reject.reason())
              .isEqualTo("its length prefix says 150 bytes, but it has 148.");
          assertThat(new String(reject.record(), StandardCharsets.UTF_8))
              .isEqualTo(RECORD.replace("0148", "0150"));
        });
  }

  /// In MS932 a tilde may be the second byte of a character; lengths count the file's own bytes.
  @Test
  void theDialectReadsMs932AsWell() {
    Map<String, String> parameters = Map.of("format", "mtu", "charset", "MS932");
    Path file = folder.resolve("ms932.dat");
    // The second byte of these is a tilde, a comma-like mark, a backslash.
    List<List<@Nullable String>> rows =
        List.of(List.of("縺", "表示"), List.of("ミ縺", "~a"), List.of("", "ソ"));
    Trial.of(file, parameters).write(rows, 2);
    assertThat(Trial.of(file, parameters).rows()).isEqualTo(rows);
  }

  private static Columns record() {
    Columns batch = Columns.standalone(SCHEMA, 1);
    text(batch, 0, "Foqvre");
    batch.longs(1).values[0] = micros(LocalDateTime.of(2153, 4, 24, 0, 44, 1));
    batch.longs(2).values[0] = 280731594835L;
    text(batch, 3, "dlG9HSUf");
    batch.longs(4).values[0] = 74876698;
    batch.longs(5).values[0] = micros(LocalDateTime.of(2324, 6, 7, 21, 56, 42));
    text(batch, 6, "k7037   ");
    text(batch, 7, "FFw5hZ12W");
    batch.longs(8).values[0] = 768478998939019L;
    text(batch, 9, "9LRhSbMaR9fBv");
    batch.filled(1, 0, new Location("made", 0, 1, 0, -1), null);
    return batch;
  }

  private static void text(Columns batch, int column, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    batch.bytes(column).append(0, bytes, 0, bytes.length);
  }

  private static long micros(LocalDateTime time) {
    return ChronoUnit.MICROS.between(LocalDateTime.of(2000, 1, 1, 0, 0), time);
  }
}
