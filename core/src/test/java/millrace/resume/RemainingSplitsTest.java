package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import millrace.fault.Fault;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Position;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What is left of a source is what no receipt speaks of, also where the source has another length
/// by now.
class RemainingSplitsTest {

  private static final long END = Long.MAX_VALUE;

  private static Split split(int index, String resource, long from, long to) {
    return new Split(index, resource, from, to, 0, 0);
  }

  private static Receipt taken(Split split, long rows) {
    return new Receipt(split, rows, 0, true);
  }

  private static List<Split> rest(List<Split> all, List<Receipt> receipts) {
    Iterator<Split> each = all.iterator();
    List<Split> left = new ArrayList<>();
    try (Splits rest = new RemainingSplits(() -> each.hasNext() ? each.next() : null, receipts)) {
      for (Split split = rest.next(); split != null; split = rest.next()) {
        left.add(split);
      }
    }
    return left;
  }

  @Test
  void aTableThatGrewIsReadBehindWhatWasTaken() {
    Split first = split(0, "t", 0, 2);
    List<Split> now = List.of(first, split(1, "t", 2, 4), split(2, "t", 4, END));
    assertThat(rest(now, List.of(taken(first, 5))))
        .containsExactly(split(1, "t", 2, 4), split(2, "t", 4, END));
  }

  /// Its reader had given all rows, and was cut off before it saw the split's end.
  @Test
  void aSplitOfWhichNothingIsLeftIsNotReadAgain() {
    Split first = split(0, "t", 0, 2);
    Receipt taken = new Receipt(first, split(0, "t", 2, 2), 5, 0, 0, true);
    List<Split> now = List.of(first, split(1, "t", 2, 4));
    assertThat(rest(now, List.of(taken))).containsExactly(split(1, "t", 2, 4));
    Split token = new Split(0, "t", new Position.Token(new byte[] {1}, 0, 2), 0, 0);
    assertThat(rest(List.of(token), List.of(taken)))
        .as("whose end only its connector knows")
        .hasSize(1);
  }

  @Test
  void aLastSplitThatWasTakenHasAllThatLiesBehindIt() {
    Split first = split(0, "t", 0, 2);
    List<Split> now = List.of(first, split(1, "t", 2, 4), split(2, "t", 4, END));
    assertThat(rest(now, List.of(taken(split(1, "t", 2, END), 5)))).containsExactly(first);
  }

  @Test
  void aTableThatShrankIsReadBehindWhatWasTaken() {
    List<Split> now = List.of(split(0, "t", 0, 2), split(1, "t", 2, END));
    assertThat(rest(now, List.of(taken(split(1, "t", 2, 4), 5), taken(split(2, "t", 4, 6), 0))))
        .containsExactly(split(0, "t", 0, 2), split(1, "t", 4, END));
  }

  @Test
  void rangesOfKeysAreTakenOnlyIfTheirKeysAreTheSame() {
    Split first = keys(0, null, "m");
    List<Split> now = List.of(first, keys(1, "m", "t"), keys(2, "t", null));
    assertThat(rest(now, List.of(taken(keys(1, "m", "t"), 5))))
        .containsExactly(first, keys(2, "t", null));
    for (Split odd :
        List.of(
            keys(0, null, "n"),
            keys(1, "l", "t"),
            keys(1, "m", null),
            split(0, "t", 0, 1),
            split(0, "t", 0, END))) {
      assertThatThrownBy(() -> rest(now, List.of(taken(odd, 5))))
          .as(odd.toString())
          .hasMessageContaining("cut in other places");
    }
  }

  private static Split keys(int index, @Nullable String from, @Nullable String to) {
    return new Split(index, "t", new Position.KeyRange(from, to), 0, 0);
  }

  @Test
  void aReceiptThatFitsNoSplitIsNeverOverlooked() {
    List<Split> now = List.of(split(0, "a", 0, 2), split(1, "a", 2, END), split(2, "b", 0, END));
    for (Receipt odd :
        List.of(
            taken(split(1, "b", 0, END), 5),
            taken(split(0, "a", 0, 3), 5),
            taken(split(0, "a", 1, 2), 5),
            taken(split(3, "b", 2, 4), 5),
            taken(split(2, "c", 0, END), 5))) {
      assertThatThrownBy(() -> rest(now, List.of(odd)))
          .as(odd.toString())
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("cut in other places");
    }
    assertThatThrownBy(() ->
            rest(now, List.of(taken(split(0, "a", 0, END), 5), taken(split(1, "b", 0, END), 5))))
        .hasMessageContaining("cut in other places");
  }
}
