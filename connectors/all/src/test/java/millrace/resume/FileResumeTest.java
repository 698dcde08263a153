package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import millrace.connectors.file.FileConnector;
import millrace.engine.RunOutcome;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.PhaseTimer;
import millrace.spi.Secret;
import millrace.spi.write.Aborted;
import millrace.spi.write.Completed;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteSession;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.forwarding.ForwardingTarget;
import millrace.testkit.forwarding.ForwardingWriteSession;
import millrace.testkit.suite.ResumableCopy;
import millrace.testkit.suite.SourceHook;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What copies into files alone promise: the files are the very ones, byte for byte, that a copy
/// without a cut makes. The rest is in the suite that all systems share.
class FileResumeTest extends RowsInFiles {

  @ParameterizedTest
  @CsvSource({"out.csv, 1", "out.csv, 2", "out.csv.gz, 1", "out.csv.gz, 2"})
  void aKilledCopyGoesOn(String name, int lanes) throws IOException {
    ResumableCopy copy = copy(file("in.csv"), file(name), Mode.CREATE, lanes);
    kill(copy, 20);
    copy.resumed().cut(6);
    Ran run = copy.resumed().run();
    assertSameAsInput(name);
    assertThat(run.meter().rows()).as("rows copied once more").isLessThanOrEqualTo(ROWS - 300L);
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS);
  }

  @Test
  void whatWasWrittenBehindTheLastReceiptIsCutOffAlsoWithinARecord() throws IOException {
    ResumableCopy copy = copy(file("in.csv"), file("out.csv"), Mode.CREATE, 1);
    copy.cutBehindReceipt(20);
    for (String name : hidden()) {
      // The system had more of both files on the disk than it told.
      Files.writeString(folder.resolve(name), "{\"tak", StandardOpenOption.APPEND);
    }
    Ran run = copy.resumed().run();
    assertThat(run.meter().rows()).isLessThan(ROWS);
    assertSameAsInput("out.csv");
  }

  @Test
  void aCopyThatFailsBeforeItsFirstSplitIsWrittenLeavesNothing() {
    ResumableCopy copy = copy(file("in.csv"), file("out.csv"), Mode.CREATE, 2);
    copy.cut(SourceHook.inFirstSplit());
    assertThat(files()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"30kB", "per-split"})
  void severalFilesGoOn(String several) throws IOException {
    Endpoint to = file("out.csv", Map.of("files", several));
    ResumableCopy copy = copy(file("in.csv"), to, Mode.CREATE, several.equals("per-split") ? 2 : 1);
    kill(copy, 20);
    copy.resumed().cut(6);
    Ran run = copy.resumed().run();
    assertThat(run.meter().rows()).isLessThan(ROWS);
    List<String> found =
        files().stream()
            .map(path -> path.getFileName().toString())
            .filter(file -> !file.endsWith(".journal"))
            .toList();
    assertThat(found).hasSizeGreaterThan(2).allMatch(name -> name.matches("out-[0-9]{5}\\.csv"));
    StringBuilder all = new StringBuilder("id,name\n");
    for (String name : found) {
      String text = Files.readString(folder.resolve(name));
      assertThat(text).startsWith("id,name\n");
      all.append(text.substring("id,name\n".length()));
    }
    assertThat(all.toString()).isEqualTo(Files.readString(folder.resolve("in.csv")));
  }

  @Test
  void rowsAreAppendedOnce() throws IOException {
    Files.writeString(folder.resolve("out.csv"), "id,name\n0,zero");
    ResumableCopy copy = copy(file("in.csv"), file("out.csv"), Mode.APPEND, 2);
    kill(copy, 20);
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo("id,name\n0,zero");
    copy.resumed().run();
    String rows = Files.readString(folder.resolve("in.csv")).substring("id,name\n".length());
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo("id,name\n0,zero\n" + rows);
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void aFileThatSomebodyHasWrittenAnewIsNotTakenForTheCopys() throws IOException {
    ResumableCopy copy = copy(file("in.csv"), file("out.csv"), Mode.REPLACE, 2);
    copy.resumed().run();
    Files.writeString(folder.resolve("out.csv"), "\n9,others", StandardOpenOption.APPEND);
    assertThat(copy.resumed().run().completeSince())
        .as("rows of others behind them are no harm")
        .isNotEmpty();
    String old = Files.readString(folder.resolve("out.csv"));
    Files.writeString(folder.resolve("out.csv"), old.replace("17", "71"));
    assertThatThrownBy(copy.resumed()::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("does not hold any more what it had written");
  }

  @Test
  void aFaultThatIsMetAgainWhereWhatWasStagedIsPutInOrderIsToldAsItIs() {
    Fault.External full = new Fault.External("No space left.", "Make room.", null);
    UnaryOperator<Target> fails =
        inner ->
            new ForwardingTarget(inner) {
              @Override
              protected WriteSession opened(WriteSession session) {
                return new ForwardingWriteSession(session) {
                  @Override
                  public Completed complete(PhaseTimer steps) {
                    throw full;
                  }

                  @Override
                  public Aborted abort(boolean keep) {
                    return super.abort(keep).failing(full);
                  }
                };
              }
            };
    Copying copying =
        Copying.of(new FileConnector(), file("in.csv"), new FileConnector(), file("out.csv"))
            .mode(Mode.CREATE)
            .between(UnaryOperator.identity(), fails);
    RunOutcome failed = copying.attempt().result().outcome();
    assertThat(failed.fault()).isSameAs(full);
    assertThat(failed.left().undoFailure()).isSameAs(full);
  }

  /// The number in their names is that of no process.
  @ParameterizedTest
  @EnumSource(
      value = ResumeChoice.class,
      names = {"NONE", "RESUME"})
  void whatAKilledCopyIntoParquetHadBegunGoesWithTheNext(ResumeChoice choice) throws IOException {
    Path left = folder.resolve(".out.parquet.millrace-999999999999-0a-1b.part");
    Path othersLeft = folder.resolve(".other.parquet.millrace-999999999999-0a-1b.part");
    Files.writeString(left, "begun");
    Files.writeString(othersLeft, "begun");
    Endpoint parquet =
        new Endpoint("parquet", folder.resolve("out.parquet").toString(), Map.of(), Secret.NONE);
    Ran run = copy(file("in.csv"), parquet, Mode.CREATE, 2).with(choice).run();
    assertThat(run.meter().rows()).isEqualTo(ROWS);
    assertThat(hidden().stream().filter(name -> !name.endsWith(".journal")))
        .containsExactly(othersLeft.getFileName().toString());
  }
}
