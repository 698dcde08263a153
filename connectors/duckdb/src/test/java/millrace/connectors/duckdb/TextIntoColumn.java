package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import millrace.connectors.file.FileConnector;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import org.assertj.core.api.AbstractThrowableAssert;

/// Text of a file on its way into a column of a type that DuckDB would cast it to leniently.
public final class TextIntoColumn {

  private TextIntoColumn() {}

  /// Sees to it that of two texts one is kept and the other makes a bad record, which ends a copy
  /// before any row, or is set aside as it was.
  ///
  /// @param kept how DuckDB shows the good one
  /// @return what ended the copy
  public static AbstractThrowableAssert<?, ?> assertKept(
      Path folder, String type, String good, String kept, String bad)
      throws IOException, SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t (id INT, v " + type + ")");
    Path csv = folder.resolve("in.csv");
    String record = "2," + quoted(bad) + "\n";
    Files.writeString(csv, "id,v\n1," + quoted(good) + "\n" + record + "3,\n");
    Endpoint file = new Endpoint("file", csv.toString(), Map.of(), Secret.NONE);
    Copying copying =
        Copying.of(new FileConnector(), file, new DuckDbConnector(), duck.table("t"))
            .mode(Mode.APPEND);
    AbstractThrowableAssert<?, ?> fault =
        assertThatThrownBy(copying::run)
            .isInstanceOf(Fault.Data.class)
            .hasMessageNotContaining("millrace");
    assertThat(duck.rows("SELECT count(*) FROM t")).containsExactly("0");

    Path set = folder.resolve("bad.csv");
    copying.rejects(new Job.RejectPolicy(new Job.RejectLimit.Count(1), set)).run();
    assertThat(set).content().isEqualTo("id,v\n" + record);
    assertThat(duck.rows("SELECT id, v::VARCHAR FROM t ORDER BY id"))
        .containsExactly("1 | " + kept, "3 | null");
    return fault;
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }
}
