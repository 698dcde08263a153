package millrace.job.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.fault.Fault;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a job file says, and what is refused, with its line.
final class JobReaderTest {

  private static final Set<String> OPTIONS =
      Set.of("mode", "key", "where", "select", "lanes", "delimiter", "columns", "max-rejects");

  private static JobInputs inputs(Map<String, String> set) {
    return new JobInputs(
        OPTIONS, set, Map.of("SHOP", "shop.db"), name -> name.equals("TEST") ? "landing" : "");
  }

  private static JobDescription parse(String text) {
    return JobReader.parse("job.yaml", text, inputs(Map.of()));
  }

  private static void refused(String text, int line, String... parts) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(Fault.User.class)
        .satisfies(thrown ->
            assertThat(thrown.getMessage() + " " + ((Fault) thrown).advice())
                .startsWith("job.yaml, line " + line + ": ")
                .contains(parts));
  }

  private static String value(JobStream stream, String name) {
    StreamSetting setting = stream.settings().get(name);
    return setting == null ? "none" : setting.value();
  }

  @Test
  void aStreamTakesTheDefaultsThatItDoesNotSayItself() {
    JobDescription job =
        parse(
            """
            source: PROD
            target: TEST
            defaults:
              mode: full-refresh
              object: '{target_schema}.{stream_table}'
              where: day = '{DAY}'
              lanes: 4
              fail_fast: true
            streams:
              public.orders:
              public.items:
                mode: incremental
                primary_key: [id, "a,b"]
                select: [id, note]
                where: x > 1
              'public.log_*': {disabled: true}
            env:
              DAY: 2026-01-01
            """);
    assertThat(job.source()).isEqualTo(new StreamSetting("source", "PROD", 1));
    assertThat(job.settings().get("lanes")).isEqualTo(new StreamSetting("lanes", "4", 7));
    assertThat(job.settings()).containsOnlyKeys("lanes", "fail-fast");
    JobStream orders = job.streams().get(0);
    assertThat(orders.object()).isEqualTo(new StreamSetting("object", "landing.{stream_table}", 5));
    assertThat(value(orders, "mode")).isEqualTo("replace");
    assertThat(value(orders, "where")).isEqualTo("day = '2026-01-01'");
    assertThat(orders.settings())
        .containsEntry("where", new StreamSetting("where", "day = '2026-01-01'", 6));
    JobStream items = job.streams().get(1);
    assertThat(value(items, "mode")).isEqualTo("merge");
    assertThat(value(items, "key")).isEqualTo("id,\"a,b\"");
    assertThat(value(items, "select")).isEqualTo("id,note");
    assertThat(items.settings().get("where")).isEqualTo(new StreamSetting("where", "x > 1", 15));
    assertThat(job.streams().get(2).disabled()).isTrue();
  }

  @Test
  void variablesOfTheCommandLineWinOverTheFileAndThatOverTheEnvironment() {
    String text =
        """
        streams:
          '${SHOP}?table={T}': {object: 'x', where: '{{T}} {T} ${T} ${SHOP}'}
        env: {T: orders}
        """;
    JobStream stream = parse(text).streams().getFirst();
    assertThat(stream.name()).isEqualTo("shop.db?table=orders");
    assertThat(value(stream, "where")).isEqualTo("{T} orders orders shop.db");
    JobDescription other = JobReader.parse("job.yaml", text, inputs(Map.of("T", "items")));
    assertThat(other.streams().getFirst().name()).isEqualTo("shop.db?table=items");
    assertThatThrownBy(() -> JobReader.parse("job.yaml", text, inputs(Map.of("TT", "x"))))
        .hasMessage("--set TT: job.yaml has no {TT}.");
  }

  @Test
  void hooksAreWordsUnlessAShellIsAskedFor() {
    JobDescription job =
        parse(
            """
            hooks:
              start:
                - type: command
                  command: [psql, -c, 'SELECT {N}']
                  timeout: 90
                  on_failure: warn
                  env: {PGHOST: h}
            streams:
              a.csv:
                object: b.csv
                hooks:
                  post:
                    - {command: 'echo {stream_name} | tee log', shell: true, timeout: 5m}
            env: {N: 1}
            """);
    assertThat(job.start())
        .containsExactly(
            new JobHook(
                3,
                List.of("psql", "-c", "SELECT 1"),
                false,
                Map.of("PGHOST", "h"),
                Duration.ofSeconds(90),
                true));
    assertThat(job.end()).isEmpty();
    JobHook post = job.streams().getFirst().after().getFirst();
    assertThat(post.words()).containsExactly("echo a.csv | tee log");
    assertThat(post.shell()).isTrue();
    assertThat(post.timeout()).isEqualTo(Duration.ofMinutes(5));
    assertThat(post.line()).isEqualTo(13);
  }

  /// YAML reads a group there.
  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      quoteCharacter = '\0',
      value = {
        "object: {stream_schema}.{stream_table} -> object: '{stream_schema}.{stream_table}'",
        "object: {stream_table} -> object: '{stream_table}'",
        "object: {stream_table}.csv # all -> object: '{stream_table}.csv' # all",
        "where: {COND} AND x = 'a' -> where: '{COND} AND x = ''a'''",
      })
  void aBraceWithoutQuotesIsReportedWithTheLineAsItShouldBe(String line, String right) {
    assertThatThrownBy(() -> parse("\uFEFFstreams:\r\n  a.csv:\r\n    " + line + "\r\n"))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining("line 3: {").hasMessageContaining("no quotes");
              assertThat(fault.advice()).isEqualTo("Write the line so:\n    " + right);
            });
  }

  @Test
  void columnsAndOptionsOfEndsMayBeGroups() {
    JobStream stream =
        parse(
                """
                streams:
                  a.csv:
                    columns: {id: bigint, 'a b': 'decimal(9,2)'}
                    source_options: {delimiter: ';', null_if: NULL}
                    target_options:
                      delimiter: '|'
                """)
            .streams()
            .getFirst();
    assertThat(value(stream, "columns")).isEqualTo("\"id\":bigint,\"a b\":decimal(9,2)");
    assertThat(stream.sourceOptions()).containsOnlyKeys("delimiter", "null-string");
    assertThat(stream.targetOptions().get("delimiter"))
        .isEqualTo(new StreamSetting("delimiter", "|", 6));
  }

  /// Of the options of an end, a stream says again those that differ, and keeps the others.
  @ParameterizedTest
  @ValueSource(strings = {"null_if: 'none'", "null-if: 'none'", "null_string: 'none'"})
  void optionsOfAnEndThatAStreamSaysItselfWinOverTheDefaults(String own) {
    JobStream stream =
        parse(
                """
                defaults:
                  source_options: {delimiter: ';', null_if: NULL}
                  target_options: {delimiter: '|'}
                streams:
                  a.csv:
                    source_options:
                      %s
                    target_options: {header: 'no'}
                """
                    .formatted(own))
            .streams()
            .getFirst();
    assertThat(stream.sourceOptions())
        .containsOnly(
            entry("delimiter", new StreamSetting("delimiter", ";", 2)),
            entry("null-string", new StreamSetting("null-string", "none", 7)));
    assertThat(stream.targetOptions())
        .containsOnly(
            entry("delimiter", new StreamSetting("delimiter", "|", 3)),
            entry("header", new StreamSetting("header", "no", 8)));
  }

  /// Lines are separated by a bar.
  @ParameterizedTest
  @CsvSource(
      delimiterString = "->",
      quoteCharacter = '~',
      value = {
        "streams:|\ta: {object: b}                       -> 2 -> indented with a tab",
        "streams:|  a: {object: b}|  a: {object: c}      -> 3 -> a is there twice",
        "streams:|  a: {where: x, where: y}              -> 2 -> where is there twice",
        "streams:|  a:|    max_rejects: 1|    max-rejects: 2 -> 4 -> max-rejects is there twice",
        "sources: A|streams: {a: {object: b}}            -> 1 -> Did you mean 'source'?",
        "streams:|  a:|    delimitr: x                   -> 3 -> Did you mean 'delimiter'?",
        "streams:|  a:|    primry_key: x                 -> 3 -> Did you mean 'primary-key'?",
        "defaults:|  mod: x|streams: {a: }             -> 2 -> Did you mean 'mode'?",
        "streams:|  a:|    where: '{DAY}'                -> 3 -> variable {DAY} is not set",
        "streams:|  a:|    where: '${DAY}'               -> 3 -> variable DAY is not set",
        "streams:|  a:|    where: '{DAI}'|env: {DAY: 1}  -> 3 -> Did you mean 'DAY'?",
        "streams:|  a:|    where: '{stream_table}'       -> 3 -> in object: and rejects: only",
        "target: PROD|streams:|  a:|    object: '{target_schema}.a' -> 4 -> a schema:",
        "env:|  SLING_THREADS: 3|streams: {a: }          -> 2 -> lanes:",
        "env:|  PGSERVICE: prod|streams: {a: }           -> 2 -> the environment alone",
        "env:|  MYSQL_PWD: x|streams: {a: }              -> 2 -> write ${MYSQL_PWD}",
        "env:|  table: 3|streams: {a: }                  -> 2 -> a variable of Millrace's own",
        "env: [1]|streams: {a: }                         -> 1 -> no group of variables",
        "streams:|  a: {transforms: x}                   -> 2 -> Not yet",
        "streams:|  a: {mode: incremental}               -> 2 -> neither primary_key",
        "streams:|  a: {mode: snapshot}                  -> 2 -> not there yet",
        "streams:|  a: {mode: backfill}                  -> 2 -> not there yet",
        "streams:|  a: {mode: appendd}                   -> 2 -> Did you mean 'append'?",
        "streams:|  a: {primary_key: x, key: y}          -> 2 -> are one thing",
        "streams:|  a: {select: [-id]}                   -> 2 -> leave columns out",
        "streams:|  a: {where: [x]}                      -> 2 -> a list or a group",
        "streams:|  a: {sql: 'file://x.sql'}             -> 2 -> is no query",
        "streams:|  a: {fail_fast: true}                 -> 2 -> below defaults:",
        "streams:|  a: {disabled: perhaps}               -> 2 -> neither true nor false",
        "streams:|  a: {resume: true}                    -> 2 -> millrace run",
        "streams:|  a: text                              -> 2 -> no group of keys",
        "streams:|  a: {source_options: x}               -> 2 -> no group of keys",
        "streams:                                        -> 1 -> there is no stream",
        "source: A                                       -> 1 -> there is no stream",
        "streams:|  - town|  - seqs                      -> 1 -> and without the dash: town:",
        "streams: {a: {where: 'x > {incremental_value}'}} -> 1 -> update_key: adds its own",
        "streams: {a: }|env: {SLING_LOADED_AT_COLUMN: 1}  -> 2 -> add: {loaded_at: now()}",
        "source: ''|streams: {a: }                       -> 1 -> source is empty",
        "streams:|  '{A}x':|  bx:|env: {A: b}            -> 3 -> is that of line 2",
        "streams:|  a: &x {object: b}|  c: *x            -> 3 -> repeats another part",
        "streams:|  a: {object: b}|---|x: 1              -> 4 -> second document",
        "streams: {a: |                                  -> 1 -> this is no YAML",
        "hooks:|  begin: []|streams: {a: }               -> 2 -> no key hooks.begin",
        "hooks:|  start: text|streams: {a: }             -> 2 -> no list of hooks",
        "hooks:|  start: [text]|streams: {a: }           -> 2 -> no group of keys",
        "hooks:|  start:|  - type: http|streams: {a: }   -> 3 -> not there yet",
        "hooks:|  start:|  - type: query|streams: {a: }  -> 3 -> has no query:",
        "hooks:|  start:|  - shell: true|streams: {a: }  -> 3 -> has no command",
        "hooks:|  start:|  - command: a b|streams: {a: } -> 3 -> shell: true",
        "hooks:|  start:|  - command: []|streams: {a: }  -> 3 -> no list of words",
        "hooks:|  start:|  - {command: [a], shell: true}|streams: {a: } -> 3 -> no text",
        "hooks:|  start:|  - {command: [[a]]}|streams: {a: } -> 3 -> no word",
        "hooks:|  start:|  - {command: [' ']}|streams: {a: } -> 3 -> names no program",
        "hooks:|  start:|  - {command: [a], timeout: soon}|streams: {a: } -> 3 -> not a duration",
        "hooks:|  start:|  - {command: [a], on_failure: skip}|streams: {a: } -> 3 -> abort nor"
            + " warn",
        "hooks:|  start:|  - {command: [a], comand: b}|streams: {a: } -> 3 -> Did you mean",
      })
  void whatCantBeUnderstoodIsRefusedWithItsLine(String spelled, int line, String words) {
    refused(spelled.replace('|', '\n') + "\n", line, words);
  }

  @Test
  void anEmptyFileIsNoJob() {
    assertThatThrownBy(() -> parse("# nothing\n")).hasMessage("job.yaml is empty.");
  }

  /// Whatever a text holds, written as a job file has to hold it, it means itself.
  @Property
  void whatIsEscapedMeansItself(
      @ForAll
          @StringLength(max = 12)
          @CharRange(from = 'a', to = 'b')
          @CharRange(from = '{', to = '}')
          @CharRange(from = '$', to = '%')
          String text) {
    JobVariables variables = new JobVariables("job.yaml", inputs(Map.of()));
    assertThat(variables.fill(JobVariables.escaped(text), 1, false)).isEqualTo(text);
    assertThat(variables.fill(JobVariables.escapedTemplate(text + "{table}"), 1, true))
        .isEqualTo(text + "{table}");
  }
}
