package millrace.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A file that takes another's place has its rights, and no more before that.
final class FileRightsTest {

  /// What an ACL's entry is for, by the numbers of Linux.
  private static final int OWNER = 1;

  private static final int USER = 2;
  private static final int GROUP = 4;
  private static final int MASK = 0x10;
  private static final int OTHERS = 0x20;
  private static final int GAMES = 5;

  @TempDir private Path home;

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private Path model(String mode) throws IOException {
    Path model = Files.createFile(home.resolve("model"));
    Files.setPosixFilePermissions(model, PosixFilePermissions.fromString(mode));
    return model;
  }

  private Path made(Path model) throws IOException {
    Path made = home.resolve("made");
    FileRights.create(made, model);
    return made;
  }

  /// An ACL that lets one more user read.
  private static byte[] acl(int group) {
    ByteBuffer acl = ByteBuffer.allocate(4 + 5 * 8).order(ByteOrder.LITTLE_ENDIAN).putInt(2);
    int[][] entries = {{OWNER, 6, -1}, {USER, 4, GAMES}, {GROUP, group, -1}, {MASK, 4, -1}};
    for (int[] entry : entries) {
      acl.putShort((short) entry[0]).putShort((short) entry[1]).putInt(entry[2]);
    }
    return acl.putShort((short) OTHERS).putShort((short) 0).putInt(-1).array();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-------", "rw-r-----", "rw-rw-rw-", "r--r--r--", "---------"})
  void modeStays(String mode) throws IOException {
    Path model = model(mode);
    Path made = made(model);
    assertThat(mode(made)).isEqualTo("rw-------");
    assertThat(FileRights.give(made, model)).isEmpty();
    assertThat(mode(made)).isEqualTo(mode);
  }

  @Test
  void whatIsNewHasTheRightsOfAnyFile() throws IOException {
    Path plain = Files.createFile(home.resolve("plain"));
    Path made = home.resolve("made");
    FileRights.create(made, null);
    assertThat(mode(made)).isEqualTo(mode(plain));
  }

  @Test
  void aclAndAttributesStay() throws IOException {
    Path model = model("rw-r-----");
    byte[] acl = acl(0);
    assertThat(LinuxAttributes.set(model, LinuxAttributes.ACL, acl)).isTrue();
    byte[] note = "orders".getBytes(StandardCharsets.UTF_8);
    assertThat(LinuxAttributes.set(model, "user.origin", note)).isTrue();
    Path made = made(model);
    assertThat(FileRights.give(made, model)).isEmpty();
    assertThat(LinuxAttributes.get(made, LinuxAttributes.ACL)).isEqualTo(acl);
    assertThat(LinuxAttributes.get(made, "user.origin")).isEqualTo(note);
    assertThat(mode(made)).isEqualTo(mode(model));
  }

  @Test
  void anAclThatTheFolderHasForNewFilesIsNotAdded() throws IOException {
    Path model = model("rw-------");
    assertThat(LinuxAttributes.set(home, "system.posix_acl_default", acl(4))).isTrue();
    Path made = made(model);
    assertThat(LinuxAttributes.get(made, LinuxAttributes.ACL)).isNotNull();
    assertThat(FileRights.give(made, model)).isEmpty();
    assertThat(LinuxAttributes.get(made, LinuxAttributes.ACL)).isNull();
    assertThat(mode(made)).isEqualTo("rw-------");
  }

  /// Who may not give a file away is told, and the group that it has instead gets nothing by it.
  @Test
  void ownerAndGroupStayAsFarAsTheUserMay() throws IOException {
    Path model = model("rw-r-----");
    UserPrincipal me = Files.getOwner(model);
    if (!me.getName().equals("root")) {
      // The groups of others can't be set up; a file of root's is there in any case.
      Path roots = Path.of("/etc/passwd");
      Path made = made(roots);
      assertThat(FileRights.give(made, roots))
          .contains("/etc/passwd could not keep its owner root and its group root")
          .contains("the new file is " + me.getName() + "'s");
      assertThat(mode(made)).isEqualTo("rw-r--r--");
      return;
    }
    Files.setAttribute(model, "unix:uid", 65534);
    Files.setAttribute(model, "unix:gid", 65533);
    Path made = made(model);
    assertThat(FileRights.give(made, model)).isEmpty();
    assertThat(Files.getAttribute(made, "unix:uid")).isEqualTo(65534);
    assertThat(Files.getAttribute(made, "unix:gid")).isEqualTo(65533);
    assertThat(mode(made)).isEqualTo("rw-r-----");
  }
}
