package millrace.connectors.stores.azure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import millrace.connectors.stores.StoredFilesSuite;
import millrace.testkit.server.AzureServer;
import org.junit.jupiter.api.Test;

class AzureFilesTest extends StoredFilesSuite {

  AzureFilesTest() {
    super(AzurePlaces::new);
  }

  @Test
  void theSpellingOfDataLakeStorageNamesTheAccount() throws IOException {
    put("spelled/a b.csv", rows(0, 10).getBytes(StandardCharsets.UTF_8));
    String container =
        "abfss://%s@%s.dfs.core.windows.net".formatted(AzurePlaces.CONTAINER, AzureServer.ACCOUNT);
    assertThat(copied(container + "/spelled/*.csv", 2)).isEqualTo(sorted(rows(0, 10)));
    assertThat(copied(container + "/spelled/a b.csv", 1)).isEqualTo(sorted(rows(0, 10)));
  }
}
