package millrace.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files are known again, and what has become of them is told, whatever their names hold.
class FileIdentityTest {

  @TempDir private Path folder;

  private Path file(String name) throws IOException {
    return Files.writeString(folder.resolve(name), "id\n1\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.csv", "a\nb.csv", "a\tb.csv", "a\\nb.csv", "a\\", "\\\n\t"})
  void aNameMayHoldLineEndsAndTabs(String name) throws IOException {
    Path file = file(name);
    Path other = file("other");
    String before = FileIdentity.ofAll(List.of(FileIdentity.of(file), FileIdentity.of(other)));
    assertThat(FileIdentity.change(before, before)).isEmpty();
    assertThat(FileIdentity.origins(before))
        .startsWith(file.toRealPath().toString())
        .contains(other.toRealPath().toString())
        .hasSize(4);

    Files.writeString(file, "id\n1\n2\n");
    String now = FileIdentity.ofAll(List.of(FileIdentity.of(file), FileIdentity.of(other)));
    assertThat(FileIdentity.change(before, now)).endsWith(" had 5 bytes, and has 7 now");
  }

  @Test
  void namesThatLookAlikeWhereTheyAreEscapedAreOthers() throws IOException {
    assertThat(FileIdentity.change(FileIdentity.of(file("a\nb")), FileIdentity.of(file("a\\nb"))))
        .contains(" was read, and is ");
  }
}
