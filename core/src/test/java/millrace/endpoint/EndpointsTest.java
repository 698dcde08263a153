package millrace.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What users may write for an end, and that no password comes through.
final class EndpointsTest {

  private static final List<Connector> CONNECTORS =
      List.of(
          new Known(List.of("file"), List.of()),
          new Known(List.of("river", "rivers"), List.of()),
          new Known(List.of("parquet"), List.of(".parquet")));

  @TempDir Path folder;

  private final Endpoints endpoints =
      new Endpoints(
          CONNECTORS,
          Map.of(
              "PROD",
              () -> Connection.of("env", "river://ann:s3cret@host:99/db?table=a&fetch=10"),
              "FROM_FILE",
              () ->
                  new Connection(
                      "file", "river://bob@host/db", Map.of("fetch", "7"), "", Secret.of("hidden")),
              "BROKEN",
              EndpointsTest::broken));

  private static Connection broken() {
    throw new Fault.User("broken", "");
  }

  @Test
  void aTableThatIsNamedWithoutASchemaIsInThatOfItsConnection() {
    Endpoints own =
        new Endpoints(
            CONNECTORS,
            Map.of(
                "lake",
                () -> new Connection("file", "river://host/db", Map.of(), "landing", Secret.NONE)));
    assertThat(own.parse("lake:orders").text("table")).contains("landing.orders");
    assertThat(own.parse("lake?table=ord*").text("table")).contains("landing.ord*");
    assertThat(own.parse("lake:public.orders").text("table")).contains("public.orders");
    assertThat(own.parse("lake:\"a.b\"").text("table")).contains("landing.\"a.b\"");
    assertThat(own.parse("lake?query=SELECT").text("table")).isEmpty();
    assertThat(own.schemaOf("LAKE")).isEqualTo("landing");
    assertThat(own.schemaOf("none")).isEmpty();
  }

  @Test
  void pathsAreFiles() {
    assertThat(endpoints.parse("in/orders.csv"))
        .isEqualTo(new Endpoint("file", "in/orders.csv", Map.of(), Secret.NONE));
    assertThat(endpoints.parse("-").location()).isEqualTo("-");
  }

  @Test
  void parametersFollowAQuestionMarkAndAreDecoded() {
    Endpoint end = endpoints.parse("a.csv?delimiter=%26&NULL_STRING=a=b+c%E5%B1%B1&header=");
    assertThat(end.location()).isEqualTo("a.csv");
    assertThat(end.parameters())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("delimiter", "&", "null-string", "a=b+c山", "header", ""));
  }

  @Test
  void questionMarksOfGlobsStayInThePath() {
    assertThat(endpoints.parse("day-??.csv").location()).isEqualTo("day-??.csv");
    Endpoint end = endpoints.parse("day-?.csv?header=false");
    assertThat(end.location()).isEqualTo("day-?.csv");
    assertThat(end.parameters()).containsOnlyKeys("header");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a%20b.db",
        "a b.db",
        "what?.db",
        "q?x.db",
        "h#x.db",
        "100%.db",
        "plus+.db",
        "a&b.db",
        "ü?.db",
        "?.db",
        "a?b=c?.db"
      })
  void aFileOfAnyNameIsGivenByAUrl(String name) throws IOException {
    Path file = Files.createFile(folder.resolve(name));
    String spelled = file.toString().replace("%", "%25").replace("?", "%3F").replace(" ", "%20");
    for (String url : List.of(file.toString(), spelled)) {
      if (url.contains("?b=")) {
        continue; // What looks like a parameter has to be spelled.
      }
      Endpoint end = endpoints.parse("river:" + url + "?table=t&fetch=2");
      assertThat(end.location()).isEqualTo(file.toString());
      assertThat(end.parameters()).isEqualTo(Map.of("table", "t", "fetch", "2"));
      assertThat(endpoints.parse("river:" + url).location()).isEqualTo(file.toString());
    }
  }

  @Test
  void aFileThatIsNotThereHasTheNameThatStandsThere() {
    String path = folder.resolve("new%20one.db").toString();
    assertThat(endpoints.parse("river:" + path + "?table=t").location()).isEqualTo(path);
    assertThat(endpoints.parse("river:" + path + "?flag").parameters()).containsKey("flag");
    assertThat(endpoints.parse("river:" + path + "?").location()).isEqualTo(path);
    assertThatThrownBy(() -> endpoints.parse("river:" + path + "?a b&password=s3cret"))
        .isInstanceOf(Fault.User.class)
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void percentSignsOfPathsStay() {
    assertThat(endpoints.parse("100%.csv").location()).isEqualTo("100%.csv");
  }

  @ParameterizedTest
  @CsvSource({
    "file:a.csv, a.csv",
    "file:///tmp/a.csv, /tmp/a.csv",
    "file://localhost/a.csv, /a.csv",
    "./river:a, ./river:a"
  })
  void fileUrlsArePaths(String text, String path) {
    assertThat(endpoints.parse(text)).isEqualTo(new Endpoint("file", path, Map.of(), Secret.NONE));
  }

  @Test
  void endingsGoToTheConnectorThatClaimsThem() {
    assertThat(endpoints.parse("out/x.PARQUET?codec=zstd").scheme()).isEqualTo("parquet");
    assertThat(endpoints.parse("out/*.parquet").location()).isEqualTo("out/*.parquet");
    assertThat(endpoints.parse("x.parquet.csv").scheme()).isEqualTo("file");
  }

  @Test
  void aFolderGoesToTheConnectorThatClaimsAllFilesInIt(@TempDir Path folder) throws IOException {
    assertThat(endpoints.parse(folder.toString()).scheme()).isEqualTo("file");
    for (String name :
        List.of("part-0.parquet", ".part-0.parquet.crc", "_SUCCESS", "part-1.PARQUET")) {
      Files.createFile(folder.resolve(name));
    }
    assertThat(endpoints.parse(folder + "/").scheme()).isEqualTo("parquet");
    assertThat(endpoints.parse(folder + "?codec=zstd").location()).isEqualTo(folder.toString());
    Files.createFile(folder.resolve("part-2.csv"));
    assertThat(endpoints.parse(folder.toString()).scheme()).isEqualTo("file");
  }

  @Test
  void passwordsOfUrlsBecomeSecrets() {
    Endpoint end = endpoints.parse("river://ann:p%40ss%3A@host:99/db?table=t");
    assertThat(end.location()).isEqualTo("//ann@host:99/db");
    assertThat(end.secret().reveal()).isEqualTo("p@ss:");
    assertThat(end.toString()).doesNotContain("p@ss", "p%40ss");
  }

  @Test
  void passwordsMayBeParameters() {
    Endpoint end = endpoints.parse("rivers://ann@host/db?password=s3cret&table=t");
    assertThat(end.scheme()).isEqualTo("rivers");
    assertThat(end.secret().reveal()).isEqualTo("s3cret");
    assertThat(end.parameters()).containsOnlyKeys("table");
  }

  @Test
  void hostsMayBeSeveralOrIpv6() {
    assertThat(endpoints.parse("river://u:p@[::1]:5432,b:1/db").location())
        .isEqualTo("//u@[::1]:5432,b:1/db");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "river://ann:s3/cret@host/db",
        "river://ann:12/s3cret@host/db",
        "river://ann:x?s3cret@host/db",
        "river://ann:1?s3cret@host/db",
        "river://ann:x&s3cret@host:y/db",
        "river:/ann:s3cret@host/db",
        "river:ann:s3cret@host/db",
        "rivr://ann:s3cret@host/db",
        "river://ann:s3cret%@host/db",
        "river://ann@host/db?password=s3cret&password=s3cret",
      })
  void malformedUrlsAreRefusedWithoutTheirPassword(String url) {
    assertThatThrownBy(() -> endpoints.parse(url))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.getMessage() + fault.advice()).doesNotContain("s3", "cret"));
  }

  @Test
  void connectionsAreNamedInAnyCase() {
    for (String spelled : List.of("PROD", "prod", "prod:", "Prod?")) {
      Endpoint end = endpoints.parse(spelled);
      assertThat(end.scheme()).isEqualTo("river");
      assertThat(end.location()).isEqualTo("//ann@host:99/db");
      assertThat(end.parameters()).isEqualTo(Map.of("table", "a", "fetch", "10"));
      assertThat(end.secret().reveal()).isEqualTo("s3cret");
    }
  }

  @Test
  void connectionsTakeATableAndParameters() {
    assertThat(endpoints.parse("prod:public.b?fetch=5").parameters())
        .isEqualTo(Map.of("table", "public.b", "fetch", "5"));
    assertThat(endpoints.parse("prod?query=select 1").parameters())
        .isEqualTo(Map.of("query", "select 1", "fetch", "10"));
    assertThat(endpoints.parse("from-file:t").parameters())
        .isEqualTo(Map.of("table", "t", "fetch", "7"));
    assertThat(endpoints.parse("from_file").secret().reveal()).isEqualTo("hidden");
  }

  @Test
  void aBrokenConnectionHurtsOnlyThoseWhoUseIt() {
    assertThatThrownBy(() -> endpoints.parse("broken:t")).isInstanceOf(Fault.User.class);
  }

  @Test
  void aFileWithAConnectionsNameIsReachedByItsPath() {
    assertThat(endpoints.parse("./prod").scheme()).isEqualTo("file");
    assertThat(endpoints.parse("prod.csv").scheme()).isEqualTo("file");
  }

  @Test
  void unknownSystemsAreRefusedWithThoseThatAreKnown() {
    assertThatThrownBy(() -> endpoints.parse("orcale:x"))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault ->
                assertThat(fault.getMessage() + fault.advice())
                    .contains("orcale", "river", "prod", "./orcale:"));
  }

  @ParameterizedTest
  @CsvSource({
    "Unmatched argument at index 2: 'river:u:s3cret@h/d', 'river:***@h/d'",
    "Unmatched argument at index 2: 'u:s3cret@h/d', 'u:***@h/d'",
    "Unmatched argument at index 2: 'river//u:/s3cret@h/d', 'river//u:***@h/d'",
    "Unknown option: '--password=s3cr s3cret', --password=***"
  })
  void redactHidesPasswordsInArgumentsThatAreNoUrls(String text, String contained) {
    assertThat(Endpoints.redactArguments(text)).contains(contained).doesNotContain("s3cret");
  }

  @Test
  void aUrlWithoutItsColonIsNoFileWhoseNameIsPrinted() {
    assertThatThrownBy(() -> endpoints.parse("river//me:s3cret@host/shop"))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.getMessage() + fault.advice()).doesNotContain("s3cret"));
    assertThat(endpoints.parse("a//b@c.csv").location()).isEqualTo("a//b@c.csv");
  }

  @ParameterizedTest
  @CsvSource({
    "Unmatched argument 'river://u:s3cret@h/d', 'river://u:***@h/d'",
    "got river:x?password=s3cret&a=b, password=***&a=b",
    "'river://u@h:1/d: x:s3cret@h', '***@h'",
    "'river://u@h:1/d/:s3cret@h', '***@h'",
    "'got river://me@h:1/d or river://u:s3cret@h:2/d', 'river://me@h:1/d or river://u:***@h:2/d'"
  })
  void redactHidesPasswordsInForeignMessages(String text, String contained) {
    assertThat(Endpoints.redact(text)).contains(contained).doesNotContain("s3cret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "river://u@h:21378/d: CREATE denied to user 'u'@'localhost' for table `j`.",
        "river://u@h:1: refuses 'u'@'%'",
        "river://u@h:1/d table w: refuses 'u'@'%'\nmore: words"
      })
  void redactLeavesWhatServersSayOfUsers(String text) {
    assertThat(Endpoints.redact(text)).isEqualTo(text);
  }

  @Test
  void optionsOfTheCommandLineFillWhatTheUrlLeavesOpen() {
    Connector connector = CONNECTORS.get(1);
    Endpoint end = endpoints.parse("river:x?fetch=1");
    assertThat(
            Endpoints.withOptions(
                    end, connector, Map.of("fetch", "2", "table", "t", "foreign", "f"))
                .parameters())
        .isEqualTo(Map.of("fetch", "1", "table", "t"));
  }

  /// A connector that is nothing but its names.
  private record Known(List<String> schemes, List<String> fileEndings) implements Connector {

    @Override
    public String name() {
      return schemes.getFirst();
    }

    @Override
    public List<Option> options() {
      return List.of(new Option("fetch", "", "1"), new Option("table", "", "t"));
    }

    @Override
    public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
      throw new Fault.User("not readable", "");
    }

    @Override
    public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
      throw new Fault.User("not writable", "");
    }
  }
}
