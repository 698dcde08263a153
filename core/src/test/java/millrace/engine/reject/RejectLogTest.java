package millrace.engine.reject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.RowRecord;
import millrace.engine.meter.Meter;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Lanes;
import millrace.spi.Stage;
import millrace.spi.StageClock;
import millrace.spi.read.RecordFile;
import millrace.spi.write.Rejects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Bad records are counted once and kept so that they can be mended, whatever becomes of the run.
class RejectLogTest {

  private static final RecordFile LAYOUT =
      new RecordFile("id\n".getBytes(StandardCharsets.UTF_8), new byte[] {'\n'});

  @TempDir Path folder;

  private final Meter meter = new Meter(Lanes.fixed(1, ""));

  private RejectLog log(Job.RejectLimit limit) {
    return log(limit, meter);
  }

  private RejectLog log(Job.RejectLimit limit, Meter counting) {
    return new RejectLog(new Job.RejectPolicy(limit, folder.resolve("bad.csv")), counting, LAYOUT);
  }

  private RejectLog log(long countMax) {
    return log(new Job.RejectLimit.Count(countMax));
  }

  private static Rejects.Reject bad(long row, String record) {
    return new Rejects.Reject(
        "in.csv", row, row + 1, row * 10, "id", "no", record.getBytes(StandardCharsets.UTF_8));
  }

  private String records() throws IOException {
    return Files.readString(folder.resolve("bad.csv"));
  }

  @Test
  void aPercentageDoesNotStopForTheFirstFewRecords() {
    RejectLog log = log(new Job.RejectLimit.Percent(0.1, "0.1%"));
    meter.reader(0).passed(9, 0);
    assertThatCode(() -> log.reject(bad(10, "x\n"))).doesNotThrowAnyException();
    meter.reader(0).passed(RejectLog.JUDGED_FROM, 0);
    assertThatCode(() -> log.reject(bad(20, "x\n"))).doesNotThrowAnyException();
    for (int row = 100; row < 108; row++) {
      log.reject(bad(row, "x\n"));
    }
    assertThatThrownBy(() -> log.reject(bad(200, "x\n")))
        .isInstanceOf(Fault.Data.class)
        .hasMessage("11 of 10,009 records are bad, which are too many.");
    log.close();
  }

  @Test
  void aPercentageIsJudgedAtTheEndOfAShortSource() {
    RejectLog log = log(new Job.RejectLimit.Percent(10, "10%"));
    meter.reader(0).passed(8, 0);
    log.ofReaders().reject(bad(1, "x\n"));
    log.ofReaders().reject(bad(2, "x\n"));
    assertThatThrownBy(log::judge)
        .isInstanceOf(Fault.Data.class)
        .hasMessageStartingWith("2 of 10 records")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("--max-rejects 10% allows no more");
    meter.reader(0).passed(10, 0);
    assertThatCode(log::judge).doesNotThrowAnyException();
    log.close();
  }

  @Test
  void aPercentageIsOfAllThatTheJobHasReadWhereARunGoesOn() {
    try (RejectLog failed = log(new Job.RejectLimit.Percent(10, "10%"))) {
      meter.reader(0).passed(8, 0);
      failed.ofReaders().reject(bad(1, "a\n"));
      failed.ofReaders().reject(bad(2, "b\n"));
      assertThatThrownBy(failed::judge).hasMessageStartingWith("2 of 10 records");
    }
    Meter next = new Meter(Lanes.fixed(1, ""));
    next.resumesAfter(8);
    try (RejectLog same = log(new Job.RejectLimit.Percent(10, "10%"), next)) {
      same.resume();
      assertThatThrownBy(same::judge).hasMessageStartingWith("2 of 10 records");
    }
    try (RejectLog more = log(new Job.RejectLimit.Percent(20, "20%"), next)) {
      more.resume();
      assertThatCode(more::judge).doesNotThrowAnyException();
      more.ofReaders().reject(bad(11, "c\n"));
      assertThatThrownBy(more::judge).hasMessageStartingWith("3 of 11 records");
    }
  }

  /// What it takes to set records aside counts by itself, also that of the one which is too much.
  @Test
  void theTimeOfSettingAsideIsCounted() {
    StageClock clock = new StageClock();
    clock.enter(Stage.PARSE);
    try (RejectLog log = log(1)) {
      Rejects timed = new TimedRejects(log, clock);
      assertThat(timed.allowed()).isTrue();
      timed.reject(bad(1, "a\n"));
      assertThat(clock.nanos(Stage.REJECT)).isPositive();
      assertThat(clock.stage()).isEqualTo(Stage.PARSE);
      long first = clock.nanos(Stage.REJECT);
      assertThatThrownBy(() -> timed.reject(bad(2, "b\n"))).isInstanceOf(Fault.Data.class);
      assertThat(clock.nanos(Stage.REJECT)).isGreaterThan(first);
      assertThat(clock.stage()).isEqualTo(Stage.PARSE);
    }
  }

  @Test
  void aRecordThatComesAgainIsThereOnce() throws IOException {
    try (RejectLog log = log(2)) {
      log.reject(bad(1, "a\n"));
      log.reject(bad(1, "a\n"));
      log.reject(bad(2, "b"));
      log.reject(bad(1, "a\n"));
    }
    assertThat(records()).isEqualTo("id\na\nb\n");
    assertThat(meter.rejects()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRunThatGoesOnAddsToWhatAKilledOneHasWrittenWhole(boolean inItsRecord) throws IOException {
    Path reasons = folder.resolve("bad.csv.reasons.jsonl");
    try (RejectLog killed = log(9)) {
      killed.reject(bad(1, "a\n"));
      killed.reject(bad(2, "b\n"));
      if (inItsRecord) {
        killed.reject(bad(4, "half a record\n"));
        Files.writeString(folder.resolve("bad.csv"), "id\na\nb\nhalf a rec");
      } else {
        Files.writeString(reasons, "{\"resource\":\"in.c", StandardOpenOption.APPEND);
      }
    }
    try (RejectLog next = log(3)) {
      next.resume();
      next.reject(bad(2, "b\n"));
      next.reject(bad(3, "c\n"));
      assertThatThrownBy(() -> next.reject(bad(4, "d\n"))).isInstanceOf(Fault.Data.class);
    }
    assertThat(records()).isEqualTo("id\na\nb\nc\n");
    assertThat(Files.readAllLines(reasons)).hasSize(3).allMatch(line -> line.endsWith("}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"id\na\nbb\nmine\n", "id\na\nbb\nm", "id\na\nb\n", "id\n", "", "no\na\nbb\n"})
  void aFileThatSomebodyElseHasChangedIsLeftAsItIs(String changed) throws IOException {
    try (RejectLog killed = log(9)) {
      killed.reject(bad(1, "a\n"));
      killed.reject(bad(2, "bb\n"));
      killed.reject(bad(3, "c\n"));
    }
    Path reasons = folder.resolve("bad.csv.reasons.jsonl");
    List<String> lines = Files.readAllLines(reasons);
    Files.write(reasons, lines.subList(0, 2));
    Files.writeString(folder.resolve("bad.csv"), changed);
    try (RejectLog next = log(9)) {
      assertThatThrownBy(next::resume)
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("are not as the copy that was cut off has left them");
    }
    assertThat(records()).isEqualTo(changed);
    assertThat(Files.readAllLines(reasons)).isEqualTo(lines.subList(0, 2));
  }

  @Test
  void filesThatTookNothingOnAFullDiskAreBegunWithTheHeader() throws IOException {
    Files.createFile(folder.resolve("bad.csv"));
    Files.createFile(folder.resolve("bad.csv.reasons.jsonl"));
    try (RejectLog next = log(3)) {
      next.resume();
      next.reject(bad(1, "a\n"));
    }
    assertThat(records()).isEqualTo("id\na\n");
  }

  @Test
  void linesThatSomebodyElseHasAddedToTheReasonsStay() throws IOException {
    try (RejectLog killed = log(9)) {
      killed.reject(bad(1, "a\n"));
    }
    Path reasons = folder.resolve("bad.csv.reasons.jsonl");
    Files.writeString(reasons, "seen by me\n", StandardOpenOption.APPEND);
    try (RejectLog next = log(9)) {
      assertThatThrownBy(next::resume).isInstanceOf(Fault.User.class);
    }
    assertThat(Files.readAllLines(reasons)).hasSize(2).contains("seen by me");
  }

  @Test
  void aRecordWithoutAPlaceIsKnownByWhatItIs() throws IOException {
    try (RejectLog log = log(3)) {
      log.reject(document("{1}\n"));
      log.reject(document("{2}"));
      log.reject(document("{2}"));
    }
    try (RejectLog next = log(3)) {
      next.resume();
      next.reject(document("{2}"));
      next.reject(document("{1}\n"));
      next.reject(document("{3}\n"));
      assertThatThrownBy(() -> next.reject(document("{4}\n"))).isInstanceOf(Fault.Data.class);
    }
    assertThat(records()).isEqualTo("id\n{1}\n{2}\n{3}\n");
  }

  private static Rejects.Reject document(String record) {
    byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
    return new Rejects.Reject("couchdb://host/db", 0, 0, -1, "", "no", bytes);
  }

  private static final Schema TABLE =
      Schema.of(List.of(Column.of("id", new Type.Int(64)), Column.of("name", Type.Text.UNLIMITED)));

  private RejectLog table(long countMax, List<String> key, String file) {
    Path path = folder.resolve(file);
    RejectLayout layout = RejectLayout.ofRows(new Schema(TABLE.columns(), key), key, path);
    return new RejectLog(new Job.RejectPolicy(countMax, path), meter, layout, _ -> {});
  }

  private static Rejects.Reject row(int split, long row, String id, @Nullable String name) {
    byte[] record = RowRecord.spell(Arrays.asList(id, name));
    Rejects.Reject.InSplit at = new Rejects.Reject.InSplit(split, row);
    return new Rejects.Reject("orders", 0, 0, -1, "name", "no", record, at);
  }

  @Test
  void rowsWithoutAKeyThatAreAlikeAreTwoAndOneThatComesAgainIsOne() throws IOException {
    try (RejectLog log = table(3, List.of(), "bad.csv")) {
      log.reject(row(0, 1, "5", "a,\"b\""));
      log.reject(row(0, 2, "5", "a,\"b\""));
      log.reject(row(0, 1, "5", "a,\"b\""));
    }
    try (RejectLog next = table(3, List.of(), "bad.csv")) {
      next.resume();
      next.reject(row(0, 2, "5", "a,\"b\""));
      next.reject(row(1, 2, "5", "a,\"b\""));
      assertThatThrownBy(() -> next.reject(row(1, 1, "6", null)))
          .hasMessage("orders, column \"name\": no");
    }
    assertThat(records()).isEqualTo("id,name\n" + "5,\"a,\"\"b\"\"\"\n".repeat(3));
  }

  /// Lanes may cut the table otherwise when they go on.
  @ParameterizedTest
  @ValueSource(strings = {"bad.csv", "bad.jsonl"})
  void aRowWithAKeyIsOneWhereverItStandsAndIsNamedByIt(String file) throws IOException {
    try (RejectLog log = table(2, List.of("id"), file)) {
      log.reject(row(0, 1, "5", ""));
      log.reject(row(3, 8, "5", ""));
    }
    try (RejectLog next = table(2, List.of("id"), file)) {
      next.resume();
      next.reject(row(1, 1, "5", ""));
      next.reject(row(1, 2, "6", null));
      assertThatThrownBy(() -> next.reject(row(1, 3, "7", null)))
          .hasMessage("orders, key id = 7, column \"name\": no");
    }
    assertThat(Files.readString(folder.resolve(file)))
        .isEqualTo(
            file.endsWith("csv")
                ? "id,name\n5,\"\"\n6,\n"
                : "{\"id\":5,\"name\":\"\"}\n{\"id\":6,\"name\":null}\n");
    assertThat(Files.readAllLines(folder.resolve(file + ".reasons.jsonl")))
        .hasSize(2)
        .allMatch(line -> line.contains("\"key\":{\"id\":"));
  }

  @Test
  void filesThatAreThereAreNotTouchedAndRecordsAreThereBeforeTheLogIsClosed() throws IOException {
    try (RejectLog log = log(9)) {
      log.reject(bad(1, "a\n"));
      assertThat(records()).isEqualTo("id\na\n");
    }
    try (RejectLog other = log(9)) {
      assertThatThrownBy(() -> other.reject(bad(1, "other\n")))
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("bad.csv");
    }
    assertThat(records()).isEqualTo("id\na\n");
  }
}
