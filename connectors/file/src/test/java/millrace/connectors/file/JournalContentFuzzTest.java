package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;

/// Whatever a journal beside a file holds, of this version or an earlier one, all of its whole
/// lines are read, or it is refused with the way out of it.
class JournalContentFuzzTest {

  private static final Path JOURNAL = Path.of("out.csv.journal");

  @FuzzTest
  void aJournalIsReadWholeOrRefused(byte[] data) {
    JournalContent content;
    try {
      content = JournalContent.parse(JOURNAL, data);
      int end = (int) content.end();
      String lines = new String(data, 0, end, StandardCharsets.UTF_8);
      assertThat(new String(data, end, data.length - end, StandardCharsets.ISO_8859_1))
          .doesNotContain("\n");
      assertThat((long) content.entries().size())
          .isEqualTo(
              List.of(lines.split("\n", -1)).stream().filter(each -> !each.isBlank()).count());
      String spelled = JournalText.spell(content.entries());
      JournalContent again =
          JournalContent.parse(JOURNAL, (spelled + "\n").getBytes(StandardCharsets.UTF_8));
      assertThat(JournalText.spell(again.entries())).isEqualTo(spelled);
      byte[] cut = (lines + "{\"v\":1,\"sea").getBytes(StandardCharsets.UTF_8);
      assertThat(withoutFault(cut).end()).isEqualTo(cut.length - "{\"v\":1,\"sea".length());
      content.interrupted();
      Entry.Begun begun = content.begun();
      if (begun != null) {
        JournaledRun run =
            new JournaledRun(begun, taken(content), null, JournaledRun.State.CUT_OFF, null, false);
        assertThat(run.run().id()).isNotNull();
        assertThat(JournalContent.start(content.text(), run)).isNotNull();
        assertThat(JournalContent.taken(content.text(), run))
            .hasSameSizeAs(run.taken())
            .allMatch(each -> each.receipt() != null && each.place() != null);
      }
    } catch (Fault.User fault) {
      assertThat(fault)
          .hasMessage(
              "The journal out.csv.journal was written by another version of Millrace, or is"
                  + " damaged.");
      assertThat(fault.advice()).isEqualTo("Remove it and copy from the start.");
    }
  }

  /// A last line that was cut off is nothing to refuse.
  private static JournalContent withoutFault(byte[] bytes) {
    try {
      return JournalContent.parse(JOURNAL, bytes);
    } catch (Fault.User fault) {
      throw new AssertionError(fault);
    }
  }

  private static List<Entry.Taken> taken(JournalContent content) {
    List<Entry.Taken> taken = new ArrayList<>();
    for (Entry entry : content.entries()) {
      if (entry instanceof Entry.Taken each) {
        taken.add(each);
      }
    }
    return taken;
  }
}
