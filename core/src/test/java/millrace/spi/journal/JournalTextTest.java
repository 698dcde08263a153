package millrace.spi.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import millrace.fault.Fault;
import millrace.spi.read.Position;
import millrace.spi.read.Split;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Entries as all journals spell them. What is spelled here is in journals of users: it may be
/// added to, and is read for good.
class JournalTextTest {

  private record Place(long number, boolean added) {}

  private static final RunRecord RUN =
      new RunRecord("r", "job", "", List.of("f"), 1, 2, "2026-03-14T09:00:00Z");

  private static final Split SPLIT = new Split(3, "f", 10, 90, 1, 0);

  private static final JournalText TEXT =
      new JournalText("The journal of t", "Drop it.", _ -> List.of());

  private static void assertSpelled(Entry entry, String spelled) {
    assertThat(JournalText.spell(entry)).isEqualTo(spelled);
    assertThat(JournalText.spell(TEXT.entries(spelled))).isEqualTo(spelled);
  }

  @Test
  void entriesAreSpelledInALineOfJsonEach() {
    String run =
        "{\"id\":\"r\",\"job\":\"job\",\"source\":\"\",\"origins\":[\"f\"],\"splitBytes\":1,"
            + "\"lanes\":2,\"startedAt\":\"2026-03-14T09:00:00Z\"}";
    assertSpelled(
        Entry.Begun.of(RUN, Mode.APPEND),
        "{\"v\":1,\"begun\":{\"run\":" + run + ",\"mode\":\"APPEND\"}}");
    assertSpelled(
        new Entry.Begun(RUN, null, "t_staged", "42", List.of("id bigint"), null)
            .with(new Place(7, true)),
        "{\"v\":1,\"begun\":{\"run\":"
            + run
            + ",\"staging\":\"t_staged\",\"tableId\":\"42\",\"columns\":[\"id bigint\"],"
            + "\"details\":{\"number\":7,\"added\":true}}}");
    Landing merge =
        new Landing(Mode.MERGE, Landing.Place.MERGE, Landing.Commits.PARTS, List.of("id"));
    assertSpelled(
        new Entry.Begun(RUN, Mode.MERGE, "t_staged", "", List.of(), null, merge),
        "{\"v\":1,\"begun\":{\"run\":"
            + run
            + ",\"mode\":\"MERGE\",\"staging\":\"t_staged\",\"landing\":{\"mode\":\"MERGE\","
            + "\"place\":\"MERGE\",\"commits\":\"PARTS\",\"key\":[\"id\"],"
            + "\"steps\":{\"inserts\":true,\"updates\":true,\"deletes\":false}}}}");
    assertSpelled(
        new Entry.Taken(new Receipt(SPLIT, 5, 9, true), null),
        "{\"v\":1,\"taken\":{\"receipt\":{\"split\":{\"index\":3,\"resource\":\"f\",\"from\":10,"
            + "\"to\":90,\"firstRow\":1,\"firstLine\":0},\"rest\":null,\"rows\":5,"
            + "\"refused\":0,\"bytes\":9,\"checksum\":0,\"durable\":true}}}");
    assertSpelled(
        new Entry.Sealing("2026-03-14T09:20:00Z", JournalText.details(new Place(1, false))),
        "{\"v\":1,\"sealing\":{\"at\":\"2026-03-14T09:20:00Z\","
            + "\"details\":{\"number\":1,\"added\":false}}}");
    assertSpelled(
        new Entry.Complete("2026-03-14T09:26:53Z", "42", true),
        "{\"v\":1,\"complete\":{\"at\":\"2026-03-14T09:26:53Z\",\"tableId\":\"42\","
            + "\"held\":true}}");
  }

  @Test
  void aRangeOfKeysIsRead() {
    Split keys = new Split(0, "t", new Position.KeyRange("a", null), 0, 0);
    Entry entry = new Entry.Taken(new Receipt(keys, 5, 9, true), null);
    assertThat(TEXT.entries(JournalText.spell(entry))).containsExactly(entry);
  }

  @Test
  void severalLinesAreReadInTheirOrder() {
    List<Entry> entries = List.of(Entry.Begun.of(RUN, null), Entry.Complete.now("", false));
    assertThat(TEXT.entries(JournalText.spell(entries) + "\n")).isEqualTo(entries);
  }

  @Test
  void whatAConnectorKeepsBesideIsReadByIt() {
    Entry.Begun begun = Entry.Begun.of(RUN, null).with(new Place(7, true));
    assertThat(TEXT.details(begun.details(), Place.class)).isEqualTo(new Place(7, true));
  }

  @Test
  void receiptsOfEarlierVersionsAreRead() {
    String spelled =
        "{\"split\":{\"index\":3,\"resource\":\"f\",\"from\":10,\"to\":90,\"firstRow\":1,"
            + "\"firstLine\":0},\"rest\":null,\"rows\":5,\"refused\":0,\"bytes\":9,"
            + "\"checksum\":0,\"durable\":true}";
    assertThat(TEXT.entries(spelled))
        .containsExactly(new Entry.Taken(new Receipt(SPLIT, 5, 9, true), null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"v\":2,\"sealing\":{\"at\":\"09:00\"}}",
        "{\"v\":1,\"sealing\":{\"at\":\"09:00\",\"by\":\"another\"}}",
        "{\"v\":1,\"ended\":{\"at\":\"09:00\"}}",
        "{\"v\":1}",
        "{\"at\":\"09:00\"}",
        "{\"split\":3}",
        "[]",
        "nonsense"
      })
  void anotherVersionIsRefusedWithTheWayOut(String spelled) {
    assertThatThrownBy(() -> TEXT.entries(spelled))
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).isEqualTo("Drop it."))
        .hasMessage("The journal of t was written by another version of Millrace, or is damaged.");
  }
}
