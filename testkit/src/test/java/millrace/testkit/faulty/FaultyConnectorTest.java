package millrace.testkit.faulty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultyConnectorTest {

  private static final Schema NUMBERS = Schema.of(List.of(Column.of("n", new Type.Int(64))));
  private final MemoryConnector memory = new MemoryConnector();

  @Test
  void delaysChangeNothingAndTheSameSeedDelaysTheSameCallsHoweverManyLanesThereAre() {
    List<Injector.Injected> one = delayed(11, 1);
    assertThat(one).hasSizeGreaterThan(10);
    assertThat(delayed(11, 3)).isEqualTo(one);
    assertThat(delayed(12, 1)).isNotEqualTo(one);
  }

  private List<Injector.Injected> delayed(long seed, int lanes) {
    FaultyConnector faulty =
        new FaultyConnector(memory, FaultPlan.random(seed, 0.2, List.of(FaultPlan.Kind.DELAY)));
    List<Row> rows = numbers();
    memory.put("from", NUMBERS, rows);
    memory.put("to", NUMBERS, List.of());
    Copying.of(faulty, memory.endpoint("from"), faulty, memory.endpoint("to"))
        .lanes(lanes, 100)
        .run();
    assertThat(memory.rows("to")).containsExactlyInAnyOrderElementsOf(rows);
    return faulty.injected();
  }

  @ParameterizedTest
  @EnumSource(FaultPlan.Site.class)
  void aPlannedFaultStrikesOnceAtItsPlace(FaultPlan.Site site) {
    int split = site == FaultPlan.Site.COMPLETE ? -1 : 3;
    FaultyConnector faulty =
        new FaultyConnector(memory, FaultPlan.at(site, split, 0, FaultPlan.Kind.DATA));
    memory.put("from", NUMBERS, numbers());
    Copying copying =
        Copying.of(faulty, memory.endpoint("from"), faulty, memory.endpoint("to")).lanes(1, 100);
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessage("injected into " + site + " 0 of split " + split);
    assertThat(faulty.injected())
        .containsExactly(new Injector.Injected(site, split, 0, FaultPlan.Kind.DATA));
    assertThat(memory.table("to")).isEmpty();
    copying.run();
    assertThat(memory.rows("to")).hasSize(200);
  }

  @Test
  void seedsReachEveryPlaceAndEveryKind() {
    Set<String> kinds = new TreeSet<>();
    Set<FaultPlan.Site> sites = new TreeSet<>();
    for (long seed = 0; seed < 60; seed++) {
      FaultyConnector faulty = new FaultyConnector(memory, seed);
      memory.put("from", NUMBERS, numbers());
      memory.put("to", NUMBERS, List.of());
      Copying copying =
          Copying.of(faulty, memory.endpoint("from"), faulty, memory.endpoint("to")).lanes(2, 500);
      List<Fault> faults = new ArrayList<>();
      try {
        copying.run();
      } catch (Fault fault) {
        faults.add(fault);
      }
      faulty.injected().forEach(one -> kinds.add(one.kind().name()));
      faulty.injected().forEach(one -> sites.add(one.site()));
      assertThat(faults.isEmpty())
          .isEqualTo(faulty.injected().stream().allMatch(i -> i.kind() == FaultPlan.Kind.DELAY));
    }
    assertThat(kinds).containsExactly("DELAY", "EXTERNAL", "TRANSIENT");
    assertThat(sites).containsExactly(FaultPlan.Site.values());
  }

  private static List<Row> numbers() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      rows.add(Row.of(i));
    }
    return rows;
  }
}
