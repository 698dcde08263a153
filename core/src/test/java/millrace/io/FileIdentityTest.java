package millrace.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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

  /// Where it lies and when it was put there is the other machine's affair.
  @ParameterizedTest
  @ValueSource(strings = {"a.csv", "a\nb.csv", "a\tb.csv", "a\\"})
  void aFileOfAnotherMachineIsTheSameByItsContent(String name) throws IOException {
    String here = FileIdentity.of(file(name));
    Path copy = file("copy");
    Files.setLastModifiedTime(copy, FileTime.fromMillis(0));
    assertThat(FileIdentity.otherOn("files", here, FileIdentity.of(copy))).isEmpty();
    Files.writeString(copy, "id\n2\n");
    assertThat(FileIdentity.otherOn("files", here, FileIdentity.of(copy)))
        .endsWith(" has another content there");
    Files.writeString(copy, "id\n1\n2\n");
    String longer = FileIdentity.of(copy);
    assertThat(FileIdentity.otherOn("files", here, longer))
        .endsWith(" has 7 bytes there, and 5 here");
    assertThat(FileIdentity.otherOn("files", here, FileIdentity.ofAll(List.of(here, longer))))
        .isEqualTo("files is 2 files there, and 1 here");
    assertThat(FileIdentity.count(here)).isEqualTo(1);
    assertThat(FileIdentity.count(FileIdentity.ofAll(List.of(here, longer)))).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "4711", "read again as COLUMNS, a Text\tb", "12\t7", "a\t1\tb\tg"})
  void whatOtherSystemsAreKnownByIsOfNoFile(String identity) {
    assertThat(FileIdentity.count(identity)).isZero();
  }
}
