package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Help, and what a user gets for a command line that can't be carried out.
final class UsageTest {

  @TempDir private Path home;

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"copy", "run", "preview", "verify", "sweep", "journal", "runs", "compare", "help"})
  void everyVerbHasHelpWithExamples(String verb) {
    Cli.Result result = run(verb, "--help");
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("Usage: millrace " + verb, "Examples:", "  millrace " + verb);
  }

  @Test
  void theHelpListsVerbsExitCodesAndExamples() {
    Cli.Result result = run("--help");
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("copy, load, unload", "preview", "runs", "Exit codes:");
    for (ExitCode code : ExitCode.values()) {
      assertThat(result.out()).contains(code.number() + "  ");
    }
  }

  @Test
  void theHelpFitsAScreen() {
    assertThat(run("--help").outLines()).hasSizeLessThanOrEqualTo(40);
    assertThat(run("copy", "--help").outLines()).hasSizeLessThanOrEqualTo(80);
  }

  @Test
  void aSystemsOptionsHaveAHelpOfTheirOwn() {
    assertThat(run("copy", "--help").out())
        .contains("millrace help couchdb", "postgresql")
        .doesNotContain("--sslmode");
    Cli.Result system = run("help", "postgres");
    assertThat(system.code()).isZero();
    assertThat(system.out())
        .startsWith("Options of postgresql, also as parameters of a URL:")
        .contains("--sslmode=verify-full", "--freeze ", "--query=SELECT")
        .doesNotContain("--delimiter");
    assertThat(run("help", "runs").out()).isEqualTo(run("runs", "--help").out());
    assertThat(run("help").out()).isEqualTo(run("--help").out());
  }

  @Test
  void helpOnNoSystemSaysWhichThereAre() {
    Cli.Result result = run("help", "postgresl");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .contains("There is no help on 'postgresl'.", "Did you mean 'postgresql'? Systems are");
  }

  @Test
  void noVerbShowsTheHelpAndFails() {
    Cli.Result result = run();
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("Usage: millrace");
  }

  @Test
  void versionNamesMillraceAndJava() {
    Cli.Result result = run("--version");
    assertThat(result.code()).isZero();
    assertThat(result.outLines()).hasSize(2);
    assertThat(result.out()).startsWith("millrace ").contains("Java " + Runtime.version());
  }

  /// The text after the arrow must be in the message; the arguments are split at blanks.
  @ParameterizedTest
  @CsvSource(
      delimiterString = "->",
      value = {
        "copy                                            -> parameters: 'FROM'",
        "copy a                                          -> parameter: 'TO'",
        "copy --nonsense                                 -> Unknown option: '--nonsense'",
        "copy a.csv --mod append                         -> option: '--mod'. Did you mean",
        "copy --limit 3                                  -> parameters: 'FROM'",
        "verify a --limt=3                               -> Unknown option: '--limt=3'",
        "copie a b                                       -> no verb 'copie'. Verbs are copy, load",
        "verfy a b                                       -> no verb 'verfy'. Did you mean"
            + " 'verify'?",
        "copy a b --mod append                           -> option: '--mod'. Did you mean"
            + " '--mode'?",
        "copy generate:unload null: x                    -> index 3: 'x'",
        "copy generate:unload null: --lane=2             -> Did you mean '--lanes'?",
        "copy x.csv null: --dialect csv                  -> Did you mean '--format'?",
        "copy x.csv?dialect=csv null:                    -> Did you mean 'format'?",
        "copy generate:unload null: --lanes=0            -> --lanes 0 is below 1",
        "copy generate:unload null: --lanes=x            -> --lanes",
        "copy generate:unload null: --lanes=9999         -> 256",
        "copy generate:unload null: --limit=-1           -> --limit -1 is below 0",
        "copy generate:unload null: --goal=soon         -> --goal 'soon' is neither a time nor a",
        "copy generate:unload null: --mode=upsert        -> Modes are create, append",
        "copy generate:unload null: --read-unit=2x       -> --read-unit '2x'",
        "copy generate:unload null: --select=a,,b        -> holds an empty name",
        "copy generate:unload null: --select=nope        -> nope",
        "copy generate:unload null: --key=a              -> --key is what a merge goes by",
        "copy generate:unload null: --max-rejects=3      -> Add --rejects FILE",
        "copy generate:unload null: --max-rejects=-1     -> neither a number of records nor a",
        "copy generate:unload null: --max-rejects=0%     -> such as 0.1%",
        "copy generate:unload null: --max-rejects=101%   -> such as 0.1%",
        "copy generate:unload null: --rejects-exit-code=9 -> Add --max-rejects N",
        "copy generate:unload null: --rejects-exit-code=0 -> is not from 1 to 125",
        "copy generate:unload null: --rejects=f          -> Add --max-rejects N",
        "copy generate:unload null: --freeze             -> --freeze means nothing to null:",
        "copy generate:unload null: --unlogged=x         -> --unlogged",
        "copy generate:unload x.csv --columns=a:text     -> --columns means nothing to"
            + " generate:unload.",
        "copy generate:unload x.csv --time-zone=UTC      -> --time-zone means nothing to"
            + " generate:unload.",
        "copy x.csv null: --files=1GB                    -> --files means nothing to null:.",
        "copy x.csv null: --time-zone=Europe/Berln       -> Did you mean 'Europe/Berlin'?",
        "verify generate:unload null: --defer-indexes    -> Unknown option: '--defer-indexes'",
        "copy x.csv null: --delimiter , --delimiter ;     -> millrace: Option '--delimiter' is"
            + " given more than once.",
        "copy x.csv null: --mode append --mode create     -> Option '--mode' is given more than"
            + " once.",
        "copy generate:unlaod null:                      -> unlaod",
        "copy generate:unload?row=3 null:                -> Did you mean 'rows'?",
        "copy null: null:                                -> null: keeps nothing",
        "copy generate:unload generate:unload            -> can't be written",
        "copy oracel:x null:                             -> neither a system that Millrace knows",
        "copy generate:wide?colour=3 null:               -> no parameter 'colour'",
        "copy generate:tpch.orders?rows=3 null:          -> It takes scale.",
        "copy postgresql://me@h:0/d null:                -> is not from 1 to 65535",
        "copy couchdb://me@h:70000/d null:               -> is not from 1 to 65535",
        "copy couchdbs://me@[::1]:99999999999/d null:    -> is not from 1 to 65535",
        "runs --last 0                                   -> --last 0 lists nothing.",
        "runs nope                                       -> There is no run nope.",
        "preview generate:unload --first=-1              -> --first -1",
      })
  void aWrongRequestEndsWithOneMessageAndCode2(String line, String message) {
    String[] args = line.split(" +");
    Cli.Result result = run(args);
    assertThat(result.err()).startsWith("millrace: ").contains(message);
    assertThat(result.err().lines().count()).isLessThanOrEqualTo(2);
    assertThat(result.err()).doesNotContain("\tat ");
    assertThat(result.out()).isEmpty();
    assertThat(result.code()).isEqualTo(2);
  }

  @Test
  void anEmptyEndIsRefused() {
    Cli.Result result = run("copy", "", "null:");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("is empty");
  }

  @Test
  void anOptionThatNeitherEndKnowsIsRefused() {
    Cli.Result result = run("copy", "null:", "null:", "--rows=7");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("--rows means nothing to null:");
  }

  @Test
  void debugShowsTheStack() {
    Cli.Result result = run("copy", "null:", "null:", "--debug");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("\tat millrace.");
  }

  @Test
  void connectionsComeFromTheEnvironment() {
    Cli cli = new Cli(home).with("MILLRACE_SOME", "generate:unload?rows=5");
    assertThat(cli.run("copy", "some", "null:").err()).contains(": 5 rows");
    assertThat(cli.run("copy", "SOME?rows=6", "null:").err()).contains(": 6 rows");
    assertThat(cli.run("copy", "some:t", "null:").err()).contains("no parameter 'table'");
  }

  private void connectionsFile(String text) throws IOException {
    Path file = home.resolve(".config/millrace/connections.yaml");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void connectionsComeFromAFile() throws IOException {
    connectionsFile(
        """
        connections:
          PLAIN: generate:unload?rows=5
          URL:
            url: generate:unload
            rows: ${COUNT}
          PARTS:
            type: generate
            path: tokens
            rows: 7
          UNSET: {type: generate, path: tokens, seed: '${NOT_SET}'}
          NOTHING:
        """);
    Cli cli = new Cli(home).with("COUNT", "6");
    assertThat(cli.run("copy", "plain", "null:").err()).contains(": 5 rows");
    assertThat(cli.run("copy", "url", "null:").err()).contains(": 6 rows");
    assertThat(cli.run("copy", "parts", "null:", "-v").err())
        .contains(": 7 rows", "generate:tokens");
    assertThat(cli.run("copy", "unset", "null:").err())
        .contains("UNSET", "the environment variable NOT_SET is not set");
    assertThat(cli.run("copy", "nothing", "null:").err()).contains("connection NOTHING is empty");
    cli.with("MILLRACE_PLAIN", "generate:unload?rows=9");
    assertThat(cli.run("copy", "plain", "null:").err()).contains(": 9 rows");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      value = {
        "PROD: 'generate:unload'\\n  prod: 'generate:tokens' -> more than one connection prod.",
        "A-B: 'generate:unload'\\n  a_b: 'generate:tokens' -> more than one connection a_b.",
        "PROD: 'generate:unload'\\n  PROD: 'generate:tokens' -> line 3: this is no YAML.",
        "PROD: [1, 2] -> connection PROD is no URL",
        "PROD: 'generate:unload'\\n---\\nconnections: {} -> a second document begins.",
        "PROD: {type: postgresql, host: h, port: 5432x} -> PROD: there is no port '5432x'.",
        "PROD: {type: couchdb, host: h, port: 65536} -> PROD: there is no port '65536'.",
      })
  void connectionsThatCouldMeanTwoThingsAreRefused(String text, String message) throws IOException {
    connectionsFile("connections:\n  " + text.replace("\\n", "\n") + "\n");
    Cli.Result result = run("copy", "prod", "null:");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("connections.yaml", message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      value = {
        "lanes: [1, 2] -> lanes is not a single value.",
        "'lanes:' -> lanes is not a single value.",
        "lanes: 1\\n  lanes: 2 -> can't be read as YAML.",
        "lanes: 1\\n---\\noptions: {lanes: 2} -> can't be read as YAML.",
      })
  void aProfileThatCouldMeanTwoThingsIsRefused(String text, String message) throws IOException {
    Path file = home.resolve(".config/millrace/profiles/night.yaml");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "options:\n  " + text.replace("\\n", "\n") + "\n");
    Cli.Result result = run("copy", "generate:unload?rows=5", "null:", "--profile", "night");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("night.yaml", message);
  }

  @Test
  void theConnectionsFileMovesWithXdgConfigHome() throws IOException {
    connectionsFile("connections: {A: 'generate:unload?rows=5'}");
    Cli cli = new Cli(home.resolve("nowhere"));
    assertThat(cli.run("copy", "a:", "null:").code()).isEqualTo(2);
    cli.with("XDG_CONFIG_HOME", home.resolve(".config").toString());
    assertThat(cli.run("copy", "a:", "null:").code()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "connections:\n  A: {password: s3cret\n  b: [",
        "connections:\n  A:\n    password: \"s3cret",
        "password: s3cret",
        "connections:\n  A:\n    password: s3cret",
        "connections:\n  A:\n    type: generate\n    password: s3cret",
        "connections:\n  A:\n    type: [s3cret]",
        "connections:\n  A: s3cret"
      })
  void aBrokenConnectionsFileIsNamedWithoutItsPasswords(String text) throws IOException {
    connectionsFile(text);
    Cli.Result result = run("copy", "a:t", "null:");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("connections.yaml").doesNotContain("s3cret");
  }

  @Test
  void passwordsInMisplacedArgumentsAreHidden() {
    String url = "postgresql://ann:s3cret@host/db?password=s3cret";
    assertThat(run("copy", "a", "b", url).err()).doesNotContain("s3cret").contains("***");
    assertThat(run("copy", "a", "b", "--lanes", url).err()).doesNotContain("s3cret");
    assertThat(run(url).err()).doesNotContain("s3cret");
    assertThat(run("copy", "--form=" + url, "a", "b").err()).doesNotContain("s3cret");
    assertThat(run("runs", url).err()).doesNotContain("s3cret");
  }

  /// Also if it fails before there is a report, or a copy after some rows.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "copy nowhere.csv null:",
        "copy generate:unload?rows=9 null: --profile=nope",
        "copy generate:unload?rows=9 null: --where nonsense",
        "verify nowhere.csv generate:unload",
        "sweep generate:unload?rows=9 null: --vary lanes=x",
        "sweep generate:unload?rows=9 null: --vary lanes=1 --before false",
      })
  void programsGetTheFaultThatEndsACommandAsItsLastLine(String line) throws IOException {
    Cli.Result result = run((line + " --json").split(" "));
    JsonNode last = new ObjectMapper().readTree(result.outLines().getLast());
    assertThat(last.path("event").asText()).isEqualTo("error");
    JsonNode error = last.path("error");
    assertThat(error.path("exit_code").asInt()).isEqualTo(result.code()).isNotZero();
    assertThat(result.err())
        .contains("millrace: " + error.path("message").asText(), error.path("advice").asText());
  }

  @Test
  void theFaultForProgramsDoesNotStandAmongRows() {
    Cli.Result result = run("copy", "nowhere.csv", "-", "--json");
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("{\"event\":\"error\",\"error\":{\"message\":\"");
  }
}
