package millrace.connectors.nothing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import millrace.connectors.generate.GenerateConnector;
import millrace.data.Form;
import millrace.data.Frames;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.fault.Location;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.StageClock;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Selection;
import millrace.spi.read.Split;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import millrace.spi.write.Writer;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Reading;
import millrace.tuning.BestUnit;
import org.junit.jupiter.api.Test;

class NothingTest {

  private static final Endpoint NOWHERE = new Endpoint("null", "", Map.of(), Secret.NONE);

  @Test
  void madeRowsCrossAsColumnsOnSeveralLanesAndAreCounted() {
    Endpoint from = new Endpoint("generate", "unload", Map.of("rows", "400_000"), Secret.NONE);
    Ran run =
        Copying.of(new GenerateConnector(), from, new NothingConnector(), NOWHERE)
            .lanes(2, 1 << 20)
            .run();
    assertThat(run.plan().form()).isEqualTo(Form.COLUMNS);
    assertThat(run.plan().lanes().first()).isEqualTo(2);
    assertThat(run.meter().rows()).isEqualTo(400_000);
    assertThat(run.meter().targetBytes()).isGreaterThan(400_000 * 100L);
  }

  @Test
  void framesAreTakenAsTheyComeAndCounted() {
    Form csv = new Form("csv", "delimiter=,");
    byte[] bytes = "a,1\nb,2\n".getBytes(StandardCharsets.UTF_8);
    Split split = new Split(3, "b.csv", 0, bytes.length, 1, 1);
    StageClock clock = new StageClock();
    try (Target target =
            new NothingConnector().target(NOWHERE, WriteOptions.DEFAULT, new OpenContext());
        WriteSession session = opened(target.describe());
        Writer writer =
            session.writer(
                csv,
                new WriteContext(0, clock, Reading.NO_REJECTS, null, BestUnit.unknown(), null))) {
      writer.start(split);
      Location start = new Location("b.csv", 3, 1, 1, 0);
      writer.write(
          new Frames(
              bytes, 0, bytes.length, 2, csv, new Frames.SourceSpan(start, bytes.length), null));
      assertThat(writer.finish()).isEqualTo(new Receipt(split, 2, 8, false));
      assertThat(clock.bytes()).isEqualTo(8);
    }
  }

  @Test
  void itCantBeRead() {
    assertThatThrownBy(
            () -> new NothingConnector().source(NOWHERE, Selection.ALL, new OpenContext()))
        .isInstanceOf(Fault.User.class)
        .hasMessage("null: keeps nothing, so there is nothing to read.");
  }

  private static WriteSession opened(DescribedTarget target) {
    return target
        .plan(WriteRequest.of(target, Schema.of(List.of()), Mode.APPEND))
        .open(WriteStart.of(1));
  }
}
