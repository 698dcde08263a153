package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OracleServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Oracle in the file of connections, in the environment, and as other tools write it.
class OracleConnectionsTest {

  @TempDir private Path home;

  @Test
  void fieldsOfOtherToolsNameTheServiceAndTheNameOfTns() throws IOException {
    try (OracleServer server = OracleServer.start()) {
      Files.writeString(
          home.resolve("tnsnames.ora"),
          "PROD=(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=%s)(PORT=%d))(CONNECT_DATA=(SERVICE_NAME=%s)))"
              .formatted(server.host(), server.port(), server.service()));
      Path folder = Files.createDirectories(home.resolve(".config/millrace"));
      Path file = folder.resolve("connections.yaml");
      Files.writeString(
          file,
          """
          connections:
            SERVICE:
              type: oracle
              host: %1$s
              port: %2$d
              user: scott
              password: ${SCOTTS}
              service_name: %3$s
            DATABASE:
              type: oracle
              host: %1$s
              port: %2$d
              user: scott
              password: ${SCOTTS}
              database: %3$s
            NAMED:
              type: oracle
              user: scott
              password: ${SCOTTS}
              tns: PROD
              tns_admin: %4$s
          """
              .formatted(server.host(), server.port(), server.service(), home));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      for (String name : new String[] {"service", "database", "named"}) {
        Cli.Result result =
            new Cli(home)
                .with("SCOTTS", server.password())
                .run("copy", "generate:tokens?rows=3", name + ":of_" + name, "--mode", "create");
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.err() + result.out()).doesNotContain(server.password());
      }
      assertThat(server.log().events(LogEvent.LoggedOn.class))
          .allMatch(each -> each.user().equals("SCOTT"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:oracle:thin:scott/unguessable@//h:1521/d",
        "jdbc:oracle:thin:scott/unguessable@h:1521:d",
        "jdbc:oracle:oci:scott/unguessable@PROD",
        "jdbc:oracle:thin:scott/unguess@able@(DESCRIPTION=(ADDRESS=(HOST=h)))",
        "scott/unguessable@//h:1521/d",
        "scott/unguessable@h:1521/d",
        "oracle:scott/unguessable@//h:1521/d",
        "oracle:thin:scott/unguessable@h:1521:d",
        "oracle://scott/unguessable@h:1521/d?table=t",
        "oracle://scott:unguessable@h:1521?sid=d&table=t"
      })
  void whatOtherToolsWriteIsRefusedWithoutThePassword(String end) {
    Cli.Result result = new Cli(home).run("preview", end, "--debug");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("oracle://").doesNotContain("unguess");
  }
}
