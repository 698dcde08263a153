package millrace.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import millrace.engine.retry.RetryPolicy;
import millrace.plan.Job;
import millrace.report.Goal;
import millrace.resume.ResumeChoice;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.text.Amount;
import org.junit.jupiter.api.Test;

/// What a copy is asked for can be sent to another JVM.
class CopySpecTest {

  @Test
  void aCopyIsTheSameInAnotherJvm() throws IOException, ClassNotFoundException {
    Job job =
        new Job(
            new Endpoint("file", "orders.csv", Map.of("delimiter", ";"), Secret.NONE),
            new Endpoint("postgresql", "//me@host/shop", Map.of("table", "t"), Secret.NONE),
            new Selection(List.of("id", "amount"), "amount > 100", 1000),
            new WriteOptions(Mode.MERGE, true, List.of("id"), true),
            new Job.Tuning(3, true, Amount.parse("read", "64kB"), null, new Amount(8, false)),
            new Job.RejectPolicy(new Job.RejectLimit.Percent(1.5, "1.5%"), Path.of("bad.csv")));
    CopySpec spec =
        new CopySpec(
            job,
            ResumeChoice.RESUME,
            RetryPolicy.of(Duration.ofMinutes(10), Duration.ofMinutes(30)),
            new CopySpec.Measures(true, Goal.parse("9m"), true));
    CopySpec sent = (CopySpec) sent(spec);
    assertThat(sent).isEqualTo(spec);
    assertThat(sent.job().rejects().file()).isEqualTo(Path.of("bad.csv"));
  }

  @Test
  void aPasswordGoesWithItAndIsStillNotPrinted() throws IOException, ClassNotFoundException {
    Endpoint end = new Endpoint("postgresql", "//me@host/shop", Map.of(), Secret.of("s3cret"));
    Endpoint sent = (Endpoint) sent(end);
    assertThat(sent.secret().reveal()).isEqualTo("s3cret");
    assertThat(sent.toString()).doesNotContain("s3cret");
  }

  private static Object sent(Object object) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }
}
