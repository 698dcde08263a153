package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import millrace.testkit.campaign.Campaign;
import millrace.testkit.campaign.Route;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Copies that are killed when all rows have moved, and the test of the campaign itself. Beside
/// {@link CampaignIT}, so that the two run at once, each with a server of its own.
final class CampaignEndIT {

  private static final int ROWS = 8_000;

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

  /// A copy that is complete stays so, and one that was just not yet complete becomes so: at
  /// whatever step between its last commit and its exit it is killed.
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*_ON_SPARK")
  void copiesKilledBetweenTheirLastCommitAndTheirExitAreThereOnce(Route route) {
    assertThat(campaign.killedAtTheEnd(route, 2))
        .as(CampaignEndIT::log)
        .allMatch(each -> each.wrong().isEmpty());
  }

  /// The test of the test: without receipts a copy that goes on begins again, and what it had
  /// committed is there twice.
  @Test
  void withoutAJournalTheCampaignFindsRowsThatAreThereTwice() {
    List<String> wrong =
        LongStream.range(1, 4)
            .mapToObj(seed -> campaign.copy(Route.CSV_TO_POSTGRES, seed, false).wrong())
            .toList();
    assertThat(wrong).as(CampaignEndIT::log).anyMatch(each -> each.contains("too many"));
  }
}
