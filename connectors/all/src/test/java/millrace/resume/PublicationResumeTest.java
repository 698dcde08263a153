package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.testkit.Ran;
import millrace.testkit.suite.ResumableCopy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Copies that were killed while their files got their names, or while their rows were added to a
/// file that was there.
class PublicationResumeTest extends RowsInFiles {

  /// Undoes the last line of the journal: the process was killed just before it was written.
  private void forgetLastLine() throws IOException {
    Path journal =
        folder.resolve(
            hidden().stream().filter(name -> name.endsWith(".journal")).findAny().orElseThrow());
    List<String> lines = Files.readAllLines(journal);
    assertThat(lines.removeLast()).contains("\"complete\":{");
    Files.write(journal, lines);
  }

  @Test
  void aCopyThatWasKilledWhileItsFileGotItsNameIsBroughtToItsEnd() throws IOException {
    for (boolean hasName : new boolean[] {true, false}) {
      ResumableCopy copy = copy(file("in.csv"), file("out.csv"), Mode.CREATE, 2);
      copy.runUntold();
      forgetLastLine();
      if (!hasName) {
        String journal = hidden().getFirst();
        Files.move(folder.resolve("out.csv"), folder.resolve(journal.replace(".journal", ".tmp")));
      }
      Ran run = copy.resumed().run();
      assertThat(run.notes().toString()).contains("complete since");
      assertSameAsInput("out.csv");
      Files.delete(folder.resolve("out.csv"));
    }
  }

  @Test
  void rowsWhoseFilesGotTheirNamesInPartAreAddedOnce() throws IOException {
    Files.writeString(folder.resolve("out-00001.csv"), "id,name\n0,zero\n");
    Endpoint to = file("out.csv", Map.of("files", "30kB"));
    ResumableCopy copy = copy(file("in.csv"), to, Mode.APPEND, 1);
    copy.runUntold();
    List<Path> complete = files();
    assertThat(complete).as("the journal and some files").hasSizeGreaterThan(4);
    forgetLastLine();
    String staged = hidden().getFirst().replace(".out.", "." + "out-00003.");
    Files.move(folder.resolve("out-00003.csv"), folder.resolve(staged.replace("journal", "tmp")));
    assertThatThrownBy(copy::run)
        .as("its first file would come twice")
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("cut off when 4,000 rows had been committed");
    Ran run = copy.resumed().run();
    assertThat(run.notes().toString()).contains("complete since");
    assertThat(files()).isEqualTo(complete);
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void aFileThatGotItsNameAndCouldNotSaySoIsNotAddedToItself() throws IOException {
    ResumableCopy copy = copy(file("in.csv"), file("out.csv"), Mode.APPEND, 2);
    copy.runUntold();
    forgetLastLine();
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("cut off when 4,000 rows had been committed");
    copy.resumed().run();
    assertSameAsInput("out.csv");
  }

  /// A copy that was killed when so much of its rows had been added to the file.
  private ResumableCopy killedWhileItAdded(String old, String rows, int added) throws IOException {
    Files.writeString(folder.resolve("out.csv"), old);
    ResumableCopy copy = copy(file("in.csv"), file("out.csv"), Mode.APPEND, 2);
    copy.runUntold();
    forgetLastLine();
    Files.writeString(folder.resolve("out.csv"), old + rows.substring(0, added));
    Files.writeString(folder.resolve(hidden().getFirst().replace(".journal", ".tmp")), rows);
    return copy;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 40_000})
  void rowsThatWereAddedInPartAreAddedOnce(int added) throws IOException {
    String old = "id,name\n0,zero\n";
    String rows = Files.readString(folder.resolve("in.csv")).substring("id,name\n".length());
    for (ResumeChoice choice : ResumeChoice.values()) {
      ResumableCopy copy = killedWhileItAdded(old, rows, added);
      copy.with(choice).run();
      assertThat(Files.readString(folder.resolve("out.csv")))
          .as(choice.name())
          .isEqualTo(old + rows);
      assertThat(unfinished()).isEmpty();
    }
  }

  @Test
  void whatWasAddedIsRemovedByTheNextAlsoWhereAllHadBeenWrittenDown() throws IOException {
    String old = "id,name\n0,zero\n";
    Files.writeString(folder.resolve("out.csv"), old);
    ResumableCopy copy = copy(file("in.csv"), file("out.csv"), Mode.APPEND, 2);
    copy.runUntold();
    String rows = Files.readString(folder.resolve("in.csv")).substring("id,name\n".length());
    Files.writeString(folder.resolve(hidden().getFirst().replace(".journal", ".tmp")), rows);
    Ran run = copy.resumed().run();
    assertThat(run.notes().toString()).contains("complete since");
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo(old + rows);
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void rowsThatWereAddedInPartAndWhoseRestIsGoneAreNotTakenForAll() throws IOException {
    String rows = Files.readString(folder.resolve("in.csv")).substring("id,name\n".length());
    ResumableCopy copy = killedWhileItAdded("id,name\n", rows, 40_000);
    Files.delete(folder.resolve(hidden().getFirst().replace(".journal", ".tmp")));
    assertThatThrownBy(copy.resumed()::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("is not there any more");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 40_000})
  void nobodyAddsBehindRowsThatWereAddedInPart(int added) throws IOException {
    String old = "id,name\n0,zero\n";
    String rows = Files.readString(folder.resolve("in.csv")).substring("id,name\n".length());
    ResumableCopy copy = killedWhileItAdded(old, rows, added);
    Files.writeString(folder.resolve("more.csv"), "id,name\n-1,more\n");
    ResumableCopy other = copy(file("more.csv"), file("out.csv"), Mode.APPEND, 1);
    assertThatThrownBy(other::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("was cut off while it added its rows to");
    assertThat(hidden()).as("those of the first").hasSize(2);
    copy.resumed().run();
    other.run();
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo(old + rows + "-1,more\n");
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void rowsThatWereAddedWholeAreThereOnceWithThoseThatOthersAddedBehindThem() throws IOException {
    String old = "id,name\n0,zero\n";
    String rows = Files.readString(folder.resolve("in.csv")).substring("id,name\n".length());
    ResumableCopy copy = killedWhileItAdded(old, rows, rows.length());
    Files.writeString(folder.resolve("more.csv"), "id,name\n-1,more\n");
    copy(file("more.csv"), file("out.csv"), Mode.APPEND, 1).run();
    assertThatThrownBy(copy.fresh()::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("was written to by somebody else");
    copy.resumed().run();
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo(old + rows + "-1,more\n");
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void aFileThatSomebodyElseWroteToMeanwhileIsLeftAlone() throws IOException {
    Files.writeString(folder.resolve("out.csv"), "id,name\n");
    ResumableCopy copy = copy(file("in.csv"), file("out.csv"), Mode.APPEND, 2);
    copy.runUntold();
    forgetLastLine();
    String rows = Files.readString(folder.resolve("in.csv")).substring("id,name\n".length());
    String others = "id,name\n" + rows.substring(0, 90) + "5,theirs\n";
    Files.writeString(folder.resolve("out.csv"), others);
    Files.writeString(folder.resolve(hidden().getFirst().replace(".journal", ".tmp")), rows);
    for (ResumeChoice choice : ResumeChoice.values()) {
      assertThatThrownBy(() -> copy.with(choice).run())
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("was written to by somebody else");
    }
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo(others);
  }
}
