package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Ledger.Guarantees;
import millrace.spi.journal.Looks;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What entries come to, whatever system keeps them.
class JournalTest {

  private static final String ID = "42";
  private static final RunRecord RUN =
      new RunRecord("r", "job", "source", List.of(), 1, 1, "2026-03-14T09:00:00Z");

  private static Entry entry(String word) {
    return switch (word) {
      case "direct" -> new Entry.Begun(RUN, Mode.APPEND, "", ID, List.of(), null);
      case "emptying" -> new Entry.Begun(RUN, Mode.TRUNCATE, "", ID, List.of(), null);
      case "staged" -> new Entry.Begun(RUN, Mode.CREATE, "t_staged", ID, List.of(), null);
      case "swapping" -> staged(Mode.CREATE, Landing.Place.SWAP, "id bigint");
      case "adding" -> staged(Mode.APPEND, Landing.Place.INSERT, "id bigint");
      case "merging" -> staged(Mode.MERGE, Landing.Place.MERGE, "id bigint");
      case "merging-anew" -> staged(Mode.MERGE, Landing.Place.MERGE);
      case "some" -> taken(0, 5);
      case "more" -> taken(0, 7);
      case "others" -> taken(1, 2);
      case "sealing" -> new Entry.Sealing("09:20", null);
      case "complete" -> new Entry.Complete("09:26", ID, false);
      case "mark" -> new Entry.Complete("09:26", "", true);
      default -> throw new IllegalArgumentException(word);
    };
  }

  private static Entry staged(Mode mode, Landing.Place place, String... columns) {
    Landing landing = new Landing(mode, place, Landing.Commits.PARTS, List.of());
    return new Entry.Begun(RUN, mode, "t_staged", ID, List.of(columns), null, landing);
  }

  private static Entry taken(int split, long rows) {
    return new Entry.Taken(new Receipt(new Split(split, "f", 0, 9, 0, 0), rows, 9, true), null);
  }

  /// What stands there now.
  private record Now(String word) implements Looks {

    @Override
    public String name() {
      return "t";
    }

    @Override
    public @Nullable String tableId(String staging) {
      return switch (word) {
        case "gone" -> null;
        case "only staged" -> staging.isEmpty() ? null : ID;
        case "another" -> "43";
        default -> ID;
      };
    }

    @Override
    public boolean isEmptied(String staging) {
      return word.equals("empty") || word.equals("another");
    }

    @Override
    public long stagedRows(String staging) {
      return switch (word) {
        case "as left" -> 7;
        case "empty" -> 0;
        default -> -1;
      };
    }

    @Override
    public String change(Entry.Sealing sealing) {
      return word.equals("altered") ? "f is another file by now" : "";
    }

    @Override
    public boolean hasAppeared(Entry.Begun begun, Entry.Sealing sealing) {
      return word.equals("appeared");
    }
  }

  private static Guarantees guarantees(String word) {
    return switch (word) {
      case "marks" -> Guarantees.MARK_ONLY;
      case "parts" -> Guarantees.EXACT;
      case "counts" -> new Guarantees(true, true, true);
      default -> throw new IllegalArgumentException(word);
    };
  }

  private static String told(@Nullable JournaledRun run) {
    if (run == null) {
      return "nothing";
    }
    StringBuilder told = new StringBuilder(run.state().toString());
    told.append(' ').append(run.rows()).append(run.leavesRows() ? " stay" : "");
    if (run.completion() != null) {
      told.append(", ").append(run.completion().at());
      told.append(run.completion().change().isEmpty() ? "" : ", " + run.completion().change());
    }
    return told.toString();
  }

  @ParameterizedTest(name = "{0}: {1}, {2} now")
  @CsvSource(
      delimiter = '|',
      value = {
        // What a journal keeps | what it says | what is there now | what it comes to
        "parts | '' | as left | nothing",
        "parts | some | as left | nothing",
        "parts | direct | as left | CUT_OFF 0 stay",
        "parts | emptying | as left | CUT_OFF 0",
        "parts | staged | as left | CUT_OFF 0",
        "parts | direct some | as left | CUT_OFF 5 stay",
        "parts | direct some others | as left | CUT_OFF 7 stay",
        "parts | direct some more others | as left | CUT_OFF 9 stay",
        "parts | emptying some | as left | CUT_OFF 5",
        // Lost.
        "parts | direct | gone | NOTHING_LEFT 0 stay",
        "parts | direct some | gone | ROWS_GONE 5 stay",
        "parts | direct some | another | ROWS_GONE 5 stay",
        "parts | direct some | empty | ROWS_GONE 5 stay",
        "parts | emptying some | empty | ROWS_GONE 5",
        "parts | direct | empty | CUT_OFF 0 stay",
        "parts | staged some | gone | NOTHING_LEFT 5",
        "parts | staged some | empty | NOTHING_LEFT 5",
        "parts | swapping some | only staged | CUT_OFF 5",
        "parts | adding some | as left | CUT_OFF 5",
        "parts | adding some | only staged | ROWS_GONE 5",
        "parts | adding | only staged | ROWS_GONE 0",
        "parts | adding some | gone | NOTHING_LEFT 5",
        "parts | merging some | only staged | ROWS_GONE 5",
        "parts | merging-anew some | only staged | CUT_OFF 5",
        "counts | adding some | only staged | ROWS_GONE 5",
        "counts | staged some others | as left | CUT_OFF 7",
        "counts | staged some | as left | NOTHING_LEFT 5",
        "counts | staged some | empty | NOTHING_LEFT 5",
        "counts | staged | empty | CUT_OFF 0",
        "counts | staged some | gone | CUT_OFF 5",
        "counts | direct some | gone | ROWS_GONE 5 stay",
        "counts | direct some | another | ROWS_GONE 5 stay",
        "counts | direct some | empty | ROWS_GONE 5 stay",
        // Cut off while names were changed.
        "parts | staged some sealing | as left | LACKS_END 5",
        "parts | staged some sealing | gone | LACKS_END 5",
        "parts | staged some sealing | appeared | LACKS_END 5 stay",
        // Complete.
        "parts | direct some complete | as left | 'COMPLETE 5 stay, 09:26'",
        "parts | staged some sealing complete | as left | 'COMPLETE 5, 09:26'",
        "parts | staged some sealing complete | altered |"
            + " 'COMPLETE 5, 09:26, f is another file by now'",
        "parts | direct some complete | gone |"
            + " 'COMPLETE 5 stay, 09:26, t is not there any more'",
        "counts | direct some complete | another |"
            + " 'COMPLETE 5 stay, 09:26, t is another table by now'",
        "counts | direct some complete | empty |"
            + " 'COMPLETE 5 stay, 09:26, t is empty, though 5 rows had been committed'",
        "counts | direct complete | empty | 'COMPLETE 0 stay, 09:26'",
        "counts | direct some mark | another |"
            + " 'COMPLETE 5 stay, 09:26, t is empty, though 5 rows had been committed'",
        // Marks alone.
        "marks | direct | as left | nothing",
        "marks | direct mark | as left | 'COMPLETE 0 stay, 09:26'",
        "marks | direct mark | gone | 'COMPLETE 0 stay, 09:26, t is not there any more'",
        "marks | direct mark | empty |"
            + " 'COMPLETE 0 stay, 09:26, t is empty, though it held rows then'",
        "marks | direct complete | empty | 'COMPLETE 0 stay, 09:26'",
        "marks | staged sealing | as left | 'COMPLETE 0, 09:20'",
        "marks | staged sealing | altered | nothing",
        "marks | staged sealing complete | altered |"
            + " 'COMPLETE 0, 09:26, f is another file by now'",
      })
  void entriesComeTo(String keeps, String said, String now, String come) {
    List<Entry> entries = new ArrayList<>();
    for (String word : said.split(" ", -1)) {
      if (!word.isEmpty()) {
        entries.add(entry(word));
      }
    }
    assertThat(told(Journal.fold(entries, new Now(now), guarantees(keeps)))).isEqualTo(come);
  }
}
