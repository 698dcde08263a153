package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What libpq takes leads every verb, every connection and every job to the server that psql would
/// reach.
final class PostgresServicesTest {

  @TempDir private Path home;

  private Cli cli() {
    return new Cli(home);
  }

  private static void done(Cli.Result result) {
    assertThat(result.code()).as(result.out() + result.err()).isZero();
  }

  @Test
  void aServiceIsObeyedInConnectionsJobsAndLists() throws IOException {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    Path services =
        Files.writeString(
            home.resolve("services"),
            "[here]\nhost=%s\nport=%d\nuser=postgres\ndbname=%s\n"
                .formatted(server.host(), server.port(), database));
    Path connections =
        Files.createDirectories(home.resolve(".config/millrace")).resolve("connections.yaml");
    Files.writeString(
        connections,
        """
        connections:
          NAMED: {type: postgresql, service: here, servicefile: %1$s}
          URL: postgresql:?service=here&servicefile=%1$s
          ADDRESS: {type: postgresql, hostaddr: 127.0.0.1, port: 1, service: here, servicefile: %1$s}
          REFUSED: {type: postgresql, service: here, servicefile: %1$s, sslcrl: a.crl}
        """
            .formatted(services));
    Files.setPosixFilePermissions(connections, PosixFilePermissions.fromString("rw-------"));
    Path rows = Files.writeString(home.resolve("t.csv"), "id\n1\n");
    done(cli().run("copy", rows.toString(), "named:t"));
    for (String end : List.of("named", "url", "postgresql:?service=here&servicefile=" + services)) {
      Cli.Result listed = cli().run("tables", end);
      done(listed);
      assertThat(listed.out()).as(end).contains("public.t");
    }
    assertThat(cli().run("tables", "address").err()).contains(":1 (127.0.0.1).");
    Path job = home.resolve("job.yaml");
    String stream = "streams: {public.t: {object: '" + home.resolve("out.csv") + "'}}\n";
    Files.writeString(job, "source: named\n" + stream);
    done(cli().run("run", job.toString()));
    assertThat(home.resolve("out.csv")).hasContent("id\n1\n");
    Files.writeString(job, "source: refused\n" + stream);
    for (String[] words :
        new String[][] {{"run", job.toString()}, {"tables", "refused"}, {"preview", "refused:t"}}) {
      assertThat(cli().run(words).err()).contains("\"sslcrl\" is not supported.");
    }
  }
}
