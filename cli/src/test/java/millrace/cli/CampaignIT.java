package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import millrace.testkit.campaign.Campaign;
import millrace.testkit.campaign.Interruption;
import millrace.testkit.campaign.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Copies that are killed, and whose network and server fail, end with every row once: a short run
/// of `bench/campaign`.
final class CampaignIT {

  private static final int ROWS = 8_000;

  private static final int COPIES = 9;

  /// It and those after it strike in all ways that are asked for below; `bench/campaign` has more.
  private static final long FIRST_SEED = 14;

  private static final List<String> LOG = new ArrayList<>();

  private static Campaign campaign;

  /// The first start of a build says that it prepares itself.
  @BeforeAll
  static void makeRows(@TempDir Path folder) throws IOException, InterruptedException {
    assertThat(new Launched(folder).shell("$millrace --version").code()).isZero();
    campaign =
        new Campaign(
            new Campaign.Settings(Launched.launcher(), folder.resolve("campaign"), ROWS, 1),
            LOG::add);
  }

  private static String log() {
    return String.join("\n", LOG);
  }

  /// A minute where the machine does nothing else.
  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void everyRowIsThereOnceHoweverACopyIsStruck() {
    List<Outcome> outcomes = campaign.copies(COPIES, FIRST_SEED, true, false);
    assertThat(outcomes).as(CampaignIT::log).allMatch(each -> each.wrong().isEmpty());
    List<Interruption> interruptions =
        outcomes.stream().flatMap(each -> each.interruptions().stream()).toList();
    assertThat(interruptions)
        .as(CampaignIT::log)
        .contains(Interruption.KILL, Interruption.SERVER, Interruption.RESET);
    assertThat(outcomes.stream().mapToInt(Outcome::midway).sum())
        .as(CampaignIT::log)
        .isGreaterThan(2);
  }
}
