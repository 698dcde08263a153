package millrace.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import millrace.cli.option.StreamRequest;
import millrace.connectors.Connectors;
import millrace.endpoint.Connection;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.job.StreamEnds;
import millrace.job.file.JobDescription;
import millrace.job.file.JobInputs;
import millrace.job.file.JobReader;
import millrace.job.file.JobStream;
import millrace.plan.Job;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A job that was written for a command line asks for the same copy.
final class JobSaverTest {

  private static final Map<String, Supplier<Connection>> CONNECTIONS =
      Map.of(
          "prod", () -> Connection.of("test", "postgresql://me@host/shop"),
          "duckdb", () -> Connection.of("test", "postgresql://never@host/shop"));

  private static final Endpoints ENDPOINTS = new Endpoints(Connectors.ALL.all(), CONNECTIONS);

  private static final JobSaver SAVER = new JobSaver(ENDPOINTS);

  private static JobDescription read(String yaml, Map<String, String> environment) {
    return JobReader.parse(
        "job.yaml",
        yaml,
        new JobInputs(
            StreamRequest.options().keySet(), Map.of(), environment, ENDPOINTS::schemaOf));
  }

  private static StreamRequest requested(JobDescription job) {
    JobStream stream = job.streams().getFirst();
    StreamEnds ends =
        new StreamEnds(Connectors.ALL, ENDPOINTS, job, StreamRequest.options().keySet());
    Map<String, String> settings = new LinkedHashMap<>();
    stream.settings().forEach((name, setting) -> settings.put(name, setting.value()));
    return StreamRequest.of(ends.from(stream), ends.to(stream), settings);
  }

  private static String yaml(String from, String to, Map<String, String> settings) {
    try {
      return SAVER.yaml(new JobSaver.Typed(from, to, settings, Map.of()));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  @Provide
  Arbitrary<Map<String, String>> settings() {
    Arbitrary<String> nasty =
        Arbitraries.strings()
            .withChars("ab {}$'\":#,-*&!|>%@`\\\n\tü")
            .ofMinLength(1)
            .ofMaxLength(9);
    List<Map.Entry<String, Arbitrary<String>>> all =
        List.of(
            Map.entry("where", nasty),
            Map.entry("select", Arbitraries.of("id", "id,\"a,b\"", "{id}", "'id'")),
            Map.entry("limit", Arbitraries.of("0", "17")),
            Map.entry("mode", Arbitraries.of("append", "replace", "create", "truncate")),
            Map.entry("atomic", Arbitraries.of("true", "false")),
            Map.entry("by-position", Arbitraries.of("true")),
            Map.entry("ordered", Arbitraries.of("true")),
            Map.entry("lanes", Arbitraries.of("1", "7")),
            Map.entry("write-unit", Arbitraries.of("100", "2MB")),
            Map.entry("retry-for", Arbitraries.of("0", "1h30m")),
            Map.entry("max-rejects", Arbitraries.of("5", "0.1%")),
            Map.entry("rejects", Arbitraries.of("bad.csv", "bad-{table}.csv", "b {x}.csv")),
            Map.entry("delimiter", Arbitraries.of(";", "|", "\t", "#", "'")),
            Map.entry("null-string", Arbitraries.oneOf(nasty, Arbitraries.just("~"))));
    return Arbitraries.subsetOf(all)
        .flatMap(chosen -> {
          Arbitrary<Map<String, String>> made = Arbitraries.create(HashMap::new);
          for (Map.Entry<String, Arbitrary<String>> each : chosen) {
            made =
                Combinators.combine(made, each.getValue())
                    .as((map, value) -> {
                      Map<String, String> more = new HashMap<>(map);
                      more.put(each.getKey(), value);
                      return more;
                    });
          }
          return made;
        });
  }

  @Provide
  Arbitrary<String> froms() {
    return Arbitraries.of(
        "in/a.csv",
        "in/{x}.csv",
        "file:///tmp/a.csv",
        "file:in/a.parquet",
        "PROD:public.orders",
        "prod:\"A {b}: c\"",
        "prod?query=SELECT%20%7Bx%7D",
        "prod",
        "duckdb:shop.db?table=orders",
        "postgresql://me@host/shop?table=a.b",
        "generate:unload?rows=3");
  }

  @Provide
  Arbitrary<String> tos() {
    return Arbitraries.of(
        "out/b.csv", "out/b.csv?null-string={a}", "Prod:x", "duckdb:f.db?table=t", "null:");
  }

  @Property(tries = 400)
  void whatIsSavedAsksForTheSameCopy(
      @ForAll("froms") String from,
      @ForAll("tos") String to,
      @ForAll("settings") Map<String, String> settings) {
    Map<String, String> ordered = new TreeMap<>(settings);
    StreamRequest typed;
    Job asked;
    try {
      typed = StreamRequest.of(from, to, ordered);
      asked = typed.request().job(ENDPOINTS);
    } catch (Fault.User _) {
      Assume.that(false);
      return;
    }
    StreamRequest saved = requested(read(yaml(from, to, ordered), Map.of()));
    assertThat(saved.request().job(ENDPOINTS)).isEqualTo(asked);
    assertThat(saved.request().retryPolicy()).isEqualTo(typed.request().retryPolicy());
  }

  /// Both as they are typed; the password is `se%2Fcret`.
  @ParameterizedTest
  @CsvSource({
    "postgresql://me:se%2Fcret@host/shop?table=a@b",
    "couchdb://me:se%2Fcret@host:5984/db",
    "postgresql://me@host/shop?password=se%2Fcret&table=t",
  })
  void aPasswordIsAVariable(String from) {
    String yaml = yaml(from, "out.csv", Map.of());
    assertThat(yaml).contains("${FROM_PASSWORD}").doesNotContain("cret");
    Job again =
        requested(read(yaml, Map.of("FROM_PASSWORD", "se%2Fcret"))).request().job(ENDPOINTS);
    assertThat(again.from().secret().reveal()).isEqualTo("se/cret");
    assertThat(again.from().label()).isEqualTo(ENDPOINTS.parse(from).label());
    assertThatThrownBy(() -> read(yaml, Map.of())).hasMessageContaining("FROM_PASSWORD");
    assertThat(yaml("in.csv", from, Map.of())).contains("${TO_PASSWORD}").doesNotContain("cret");
  }

  @Test
  void aConnectionIsTheSourceOfTheJob() {
    assertThat(yaml("prod:public.orders", "out.csv", Map.of("mode", "replace")))
        .isEqualTo(
            """
            source: "prod"
            streams:
              public.orders:
                object: "out.csv"
                mode: "replace"
            """);
  }

  @Test
  void aSecretInAnOptionIsRefused() {
    assertThatThrownBy(
            () -> yaml("a.csv", "b.csv", Map.of("where", "x = 'postgresql://me:secret@host'")))
        .isInstanceOf(Fault.User.class)
        .hasMessageNotContaining("secret@");
  }
}
