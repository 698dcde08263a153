package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.spi.write.Mode;
import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumableCopy;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.api.Test;

/// Copies that are killed and go on, into Parquet files.
class ParquetResumeSuiteTest extends ParquetResumeFixture
    implements ClusterSuite, JoinSuite, ResumeSuite {

  /// What a version before journals had one spelling has written of a copy into that file.
  @Test
  void aMarkOfAnEarlierVersionIsKnown() throws IOException {
    ResumableCopy copy = copy(rows(1_000, ROWS), table("orders_create"), Mode.CREATE);
    copy.run();
    Path journal = hidden("orders_create", true).getFirst();
    Path file = file("orders_create");
    String mark =
        """
        {"run":{"id":"20261126-205100-ylrjz","job":"b954ab278f11d9ea949c64911b0bd268",\
        "source":"12c143be of 640","origins":["memory:rows"],"splitBytes":16777216,"lanes":2,\
        "startedAt":"2026-11-26T20:51:00Z"},"length":%d,"content":"%s","named":true,\
        "at":"2026-11-26T20:51:01Z"}\
        """
            .formatted(Files.size(file), FileIdentity.content(file, 0, Files.size(file)));
    Files.writeString(journal, mark);
    assertNothingToDo(copy);
    String naming = mark.replace("\"named\":true", "\"named\":false");
    Files.writeString(journal, naming);
    assertNothingToDo(copy);
    Files.writeString(journal, mark);
    Files.delete(file);
    assertRefused(copy, "is not there any more");
    Files.writeString(journal, naming);
    assertThat(copy.run().meter().rows()).isEqualTo(ROWS);
    Files.writeString(journal, "{\"run\":3}");
    assertThatThrownBy(copy::run)
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.advice()).isEqualTo("Remove it and copy from the start."))
        .hasMessageContaining("was written by another version of Millrace");
  }
}
