package millrace.spi.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.fault.Fault;

/// Whatever a journal holds, it is read whole, or refused with the way out of it.
class JournalTextFuzzTest {

  private static final JournalText TEXT =
      new JournalText("The journal of t", "Drop it.", _ -> List.of());

  @FuzzTest
  void aJournalIsReadWholeOrRefused(byte[] data) {
    String lines = new String(data, StandardCharsets.UTF_8);
    List<Entry> entries;
    try {
      entries = TEXT.entries(lines);
    } catch (Fault.User fault) {
      assertThat(fault.getMessage())
          .isEqualTo("The journal of t was written by another version of Millrace, or is damaged.");
      assertThat(fault.advice()).isEqualTo("Drop it.");
      return;
    }
    assertThat((long) entries.size())
        .isEqualTo(List.of(lines.split("\n", -1)).stream().filter(each -> !each.isBlank()).count());
    for (Entry entry : entries) {
      assertThat(isWhole(entry)).as(entry.toString()).isTrue();
    }
    String spelled = JournalText.spell(entries);
    assertThat(JournalText.spell(TEXT.entries(spelled))).isEqualTo(spelled);
  }

  /// Whether what goes on with a run has all that it asks an entry for.
  private static boolean isWhole(Entry entry) {
    return switch (entry) {
      case Entry.Begun begun -> begun.run() != null && begun.run().id() != null;
      case Entry.Taken taken ->
          taken.receipt() != null
              && taken.receipt().split() != null
              && taken.receipt().split().resource() != null;
      case Entry.Sealing _, Entry.Complete _ -> true;
    };
  }
}
