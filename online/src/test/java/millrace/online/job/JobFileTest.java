package millrace.online.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import millrace.fault.Fault;
import millrace.online.Jobs;
import millrace.online.job.OnlineJob.WindowSpec;
import millrace.spi.online.OnlineLayout.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a job file says, and what is refused, with its line.
final class JobFileTest {

  private static OnlineJob parse(String text) {
    return JobFile.parse("job.yaml", text);
  }

  private static void refused(String text, int line, String... parts) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(Fault.User.class)
        .hasMessageStartingWith("job.yaml, line " + line + ": ")
        .hasMessageContainingAll(parts);
  }

  @Test
  void theExampleIsReportsJobForASmallFile() {
    OnlineJob job = JobFile.parse("example", JobFile.example());
    assertThat(job.target()).isEqualTo("duckdb:meters.duckdb");
    assertThat(job.load())
        .isEqualTo(
            new OnlineJob.Load(
                10_000,
                20,
                Duration.ofSeconds(90),
                LocalDateTime.parse("2019-04-01T23:59:00"),
                true,
                true,
                "example, line 9: load.rows"));
    assertThat(job.windows())
        .containsExactly(
            new WindowSpec("minute", Duration.ofMinutes(1), Duration.ofSeconds(10)),
            new WindowSpec("hour", Duration.ofHours(1), Duration.ofSeconds(15)),
            new WindowSpec("day", Duration.ofDays(1), Duration.ofSeconds(20)));
    assertThat(job.late())
        .isEqualTo(
            new OnlineJob.Late(
                0.02, Duration.ofSeconds(20), Duration.ofMinutes(5), Duration.ofSeconds(30)));
    assertThat(job.pass().badShare()).isEqualTo(0.005);
    assertThat(job.tables().timeFirst()).isFalse();
    assertThat(job.engine()).isNull();
  }

  @Test
  void aTargetIsEnoughForAJob() {
    OnlineJob job = parse("target: 'null:'");
    assertThat(job.load())
        .isEqualTo(
            new OnlineJob.Load(
                10_000,
                20,
                Duration.ofMinutes(10),
                LocalDateTime.parse("2019-04-01T23:55:00"),
                true,
                true,
                "job.yaml, line 1: load.rows"));
    assertThat(job.windows()).extracting(WindowSpec::name).containsExactly("minute", "hour", "day");
    assertThat(job.late().share()).isZero();
    assertThat(job.pass())
        .isEqualTo(
            new OnlineJob.Pass(
                Duration.ofSeconds(1), Duration.ofMinutes(1), 0.005, Duration.ofSeconds(5)));
    assertThat(job.layout().levels())
        .extracting(Level::table)
        .containsExactly(
            "load_per_sec", "load_per_sec_minute", "load_per_sec_hour", "load_per_sec_day");
    assertThat(job.layout().partition()).isEqualTo(Duration.ZERO);
  }

  @ParameterizedTest
  @CsvSource({"1_000_000, 1000000", "20000, 20000", "'20,000', 20000", "'\"500\"', 500"})
  void numbersMayHaveMarksOfThousands(String spelled, long rows) {
    assertThat(parse("target: x\nload: {rows: '" + spelled.replace("\"", "") + "'}").load().rows())
        .isEqualTo(rows);
    assertThat(parse("target: x\nload:\n  rows: " + spelled).load().rows()).isEqualTo(rows);
  }

  @ParameterizedTest
  @CsvSource({"2 %, 0.02", "2%, 0.02", "0.02, 0.02", "12.5 %, 0.125", "100 %, 1", "1, 1", "0, 0"})
  void aShareIsPerCentOrADecimal(String spelled, double share) {
    assertThat(parse("target: x\nlate:\n  share: " + spelled).late().share()).isEqualTo(share);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"101 %", "1.5", "-1 %", "some", "2 % 3", "'%'", "", "2 %%", "1e-2", "5 % of"})
  void whatIsNoShareIsRefused(String spelled) {
    refused("target: x\nlate:\n  delay: 1s\n  share: " + spelled, 4, "late.share");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rowz: 5 | there is no key load.rowz",
        "rows: many | load.rows 'many' is no number from 1 to 100000000",
        "rows: 0 | load.rows '0' is no number",
        "rows: 1.5 | load.rows '1.5' is no number",
        "rows: 99999999999999999999 | is no number",
        "rows: | load.rows '' is no number",
        "rows: [1, 2] | load.rows is a list or a group",
        "clients: 0 | load.clients '0' is no number from 1 to 1000",
        "clients: 1001 | load.clients '1001' is no number from 1 to 1000",
        "duration: soon | load.duration 'soon' is not a duration",
        "duration: 0 | load.duration is no time at all",
        "duration: 500ms | load.duration '500ms' is not a duration",
        "clock: noon | load.clock 'noon' is no moment",
        "clock: 2019-04-31 23:55:00 | load.clock '2019-04-31 23:55:00' is no moment",
        "clock: 2019-04-01 23:55:00.5 | load.clock does not start at a whole second",
        "clock: 2019-04-01 23:55:30 | load.clock does not start with a window of minute",
        "sorted: maybe | load.sorted 'maybe' is neither yes nor no",
      })
  void aBadLoadIsRefusedWithTheLineOfItsKey(String line, String message) {
    refused("# a job\ntarget: x\nload:\n  prefill: no\n\n  " + line.strip(), 6, message);
  }

  @Test
  void moreClientsThanRowsAreRefused() {
    refused("target: x\nload:\n  rows: 10\n  clients: 11\n", 4, "load.clients are more than rows");
    refused("target: x\nload:\n  rows: 10\n", 2, "load.clients are more than rows");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{name: b, length: 90s} | windows.length 90 s is no multiple of the level below, 60 s",
        "{name: b, length: 60s} | windows.length 60 s is no multiple of the level below, 60 s",
        "{name: b, length: 30s} | windows.length 30 s is no multiple",
        "{name: b, length: 0} | windows.length is no time at all",
        "{name: a, length: 2m} | windows.name a is there twice",
        "{name: B, length: 2m} | windows.name 'B' is no name",
        "{length: 2m} | windows.name '' is no name",
        "{name: b, lenght: 2m} | there is no key windows.lenght",
        "b | windows is no group of keys",
      })
  void aBadWindowIsRefusedWithItsLine(String item, String message) {
    refused("target: x\nwindows:\n  - {name: a, length: 1m}\n  - " + item, 4, message);
  }

  @Test
  void windowsThatAreNoneAreRefused() {
    refused("target: x\nwindows: []", 2, "windows are none");
    refused("target: x\nwindows:\n", 2, "windows are none");
    refused("target: x\nwindows: 3", 2, "windows are none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tables: {raw: 'a b'} | tables.raw 'a b' is no name of a table",
        "tables: {key: device} | tables.key 'device' is neither device-first nor time-first",
        "tables: {partition: often} | tables.partition 'often' is not a duration",
        "tables: {partition: 1h, ahead: 0} | tables.ahead is no time at all",
        "tables: {hash_buckets: 257} | tables.hash_buckets '257' is no number from 0 to 256",
        "tables: 5 | tables is no group of keys",
        "tables: [1] | tables is no group of keys",
        "late: {every: 0} | late.every is no time at all",
        "late: {allowed: 0} | late.allowed is no time at all",
        "pass: {write_start: 0} | pass.write_start is no time at all",
        "pass: {bad_share: 200 %} | pass.bad_share '200 %' is more than all",
        "pass: {agregate: 1m} | there is no key pass.agregate",
        "engine: {jdbc: 'jdbc:x:', statement: 'INSERT'} | engine.statement does not name all of",
        "engine: {statement: '{source}{target}{start}{end}'} | engine.jdbc is no URL of JDBC",
        "lode: {rows: 1} | there is no key lode",
      })
  void whatElseIsBadIsRefusedWithItsLine(String line, String message) {
    refused("target: x\n\n" + line.strip(), 3, message);
  }

  @Test
  void aMissingTargetIsRefused() {
    refused("load:\n  rows: 100", 1, "target is missing");
    refused("target:", 1, "target is missing");
  }

  @Test
  void aKeyThatIsThereTwiceIsRefused() {
    refused("target: x\nload:\n  rows: 100\n  rows: 200", 4, "rows is there twice");
    refused("target: x\nload: {}\ntarget: y", 3, "target is there twice");
  }

  @Test
  void whatIsNoYamlIsRefused() {
    refused("target: x\nload: {rows: 1", 2, "this is no YAML");
    refused("target: x\n  load: y: z", 2, "this is no YAML");
    refused("target: x\n---\ntarget: y", 3, "a second document begins");
    assertThatThrownBy(() -> parse("")).hasMessage("job.yaml is empty.");
    assertThatThrownBy(() -> parse("# nothing\n")).hasMessage("job.yaml is empty.");
  }

  @Test
  void aMisspelledKeyIsMet() {
    assertThatThrownBy(() -> parse("target: x\nload:\n  cleints: 5"))
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).contains("clients"));
  }

  @Test
  void aFileThatIsMissingIsNamed() {
    assertThatThrownBy(() -> JobFile.read(Path.of("no-such-job.yaml")))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("no-such-job.yaml");
  }

  @Test
  void anEngineNamesItsPlaces() {
    OnlineJob job =
        parse(
            """
            target: kudu://m1:7051/default.meters
            engine:
              jdbc: jdbc:impala://host:21050
              statement: >
                UPSERT INTO {target} SELECT * FROM {source}
                WHERE time_stamp >= '{start}' AND time_stamp < '{end}'
            """);
    assertThat(job.engine()).isNotNull();
    assertThat(List.of(job.engine().jdbc(), job.engine().driver()))
        .containsExactly("jdbc:impala://host:21050", "");
  }

  /// 90 % of the rows three minutes late are no load of a short run.
  @Test
  void aRunIsAsLongAsItsLateRowsNeed() {
    String load = "rows: 20\nclients: 2";
    assertThat(Jobs.of(load, "share: 2 %\ndelay: 20s").durationMin().toSeconds()).isEqualTo(30);
    assertThat(Jobs.of(load, "share: 20 %\ndelay: 2s").durationMin().toSeconds()).isEqualTo(30);
    assertThat(Jobs.of(load, "share: 90 %\ndelay: 3m\nallowed: 10m").durationMin().toSeconds())
        .isEqualTo(4_050);
  }
}
