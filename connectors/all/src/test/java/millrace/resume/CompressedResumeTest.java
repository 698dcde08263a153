package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.suite.ResumableCopy;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A copy of a compressed file that was cut off does not go on with another file.
class CompressedResumeTest {

  private static final int ROWS = 20_000;

  @TempDir private Path folder;

  private ResumableCopy copy() {
    return copy("in.csv.gz");
  }

  private ResumableCopy copy(String name) {
    return RowsInFiles.copy(file(name), file("out.csv"), Mode.CREATE, 1);
  }

  private Endpoint file(String name) {
    return new Endpoint("file", folder.resolve(name).toString(), Map.of(), Secret.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bz2", "xz", "zip"})
  void aFileOfEachKindGoesOnBehindWhatWasTaken(String ending) throws IOException {
    Path source = folder.resolve("in.csv." + ending);
    try (OutputStream packed = packer(ending, Files.newOutputStream(source))) {
      packed.write(text("a").getBytes(StandardCharsets.US_ASCII));
    }
    ResumableCopy copy = copy("in.csv." + ending);
    copy.cutBehindReceipt(20);
    assertThat(copy.resumed().run().meter().rows()).isLessThan(ROWS);
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo(text("a"));
  }

  private static OutputStream packer(String ending, OutputStream to) throws IOException {
    return switch (ending) {
      case "bz2" -> new BZip2CompressorOutputStream(to);
      case "xz" -> new XZCompressorOutputStream(to);
      default -> {
        ZipOutputStream zip = new ZipOutputStream(to);
        zip.putNextEntry(new ZipEntry("in.csv"));
        yield zip;
      }
    };
  }

  @Test
  void aCompressedSourceThatChangedIsRefused() throws IOException {
    pack("a");
    ResumableCopy copy = copy();
    copy.cutBehindReceipt(20);
    pack("bb");
    assertThatThrownBy(() -> copy.resumed().run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("can't be resumed: ")
        .hasMessageContaining("in.csv.gz");
    assertThat(folder.resolve("out.csv")).doesNotExist();
    copy.fresh().run();
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo(text("bb"));
  }

  /// Blocks of a file are compared, not all of it: what lies between them shows in the checksums of
  /// what was taken, as that is stepped over.
  @Test
  void aCompressedSourceThatChangedBetweenTheBlocksThatAreComparedIsRefusedToo()
      throws IOException {
    Path source = folder.resolve("in.csv.gz");
    pack("a");
    ResumableCopy copy = copy();
    copy.cutBehindReceipt(20);
    String before = FileIdentity.of(source);
    FileTime time = Files.getLastModifiedTime(source);
    pack("b");
    Files.setLastModifiedTime(source, time);
    assertThat(FileIdentity.of(source)).isEqualTo(before);
    assertThatThrownBy(() -> copy.resumed().run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("in.csv.gz is not what it was");
    assertThat(folder.resolve("out.csv")).doesNotExist();
    pack("a");
    Files.setLastModifiedTime(source, time);
    copy.resumed().run();
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo(text("a"));
  }

  /// 2 MB as they are, so that a byte of the text is one of the file: two members, the first of
  /// which ends, with its checksum, between the first two blocks.
  private void pack(String mark) throws IOException {
    String text = text(mark);
    int cut = text.indexOf("\n1000,") + 1;
    try (OutputStream file = Files.newOutputStream(folder.resolve("in.csv.gz"))) {
      for (String part : List.of(text.substring(0, cut), text.substring(cut))) {
        try (Stored member = new Stored(file)) {
          member.write(part.getBytes(StandardCharsets.US_ASCII));
          member.finish();
        }
      }
    }
  }

  private static String text(String mark) {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 1; i <= ROWS; i++) {
      text.append(i).append(',').append((i == 900 ? mark : "-").repeat(100)).append('\n');
    }
    return text.toString();
  }

  /// A gzip member that is not compressed, in a file that goes on behind it.
  private static final class Stored extends GZIPOutputStream {

    Stored(OutputStream out) throws IOException {
      super(
          new FilterOutputStream(out) {
            @Override
            public void write(byte[] bytes, int start, int length) throws IOException {
              out.write(bytes, start, length);
            }

            @Override
            public void close() throws IOException {
              flush();
            }
          });
      def.setLevel(Deflater.NO_COMPRESSION);
    }
  }
}
