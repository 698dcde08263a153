package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A file of UTF-16 that ends in the middle of a character, or has half a pair of surrogates: the
/// record is bad, the message says at which byte, and nothing is dropped without a word. So it is
/// wherever the buffers end, and in compressed files.
final class CutCharacterTest {

  /// Where the half character begins: at the borders of what is read, decoded and looked at first
  /// at a time, and beside them.
  private static final int[] PLACES = {200, 65_534, 65_536, 65_538, 131_070, 131_072, 1_048_576};

  /// Half a character: an odd last byte, a high surrogate, one and a half of a pair, a low
  /// surrogate alone, and two high ones.
  private static final List<int[]> HALVES =
      List.of(
          new int[] {'1'},
          new int[] {0xD83D, -1},
          new int[] {0xD83D, 0xDE},
          new int[] {0xDC00, -1},
          new int[] {0xD83D, 0xD83D, -1});

  @TempDir private Path folder;

  /// A file of that many bytes and some more, and what its whole records are.
  private record Made(ByteArrayOutputStream bytes, List<List<@Nullable String>> rows) {

    /// Records of some characters, the last of which is not ended, up to that place; then what is
    /// half a character.
    static Made upTo(int place, Charset charset, boolean hasMark) {
      Made made = new Made(new ByteArrayOutputStream(), new ArrayList<>());
      made.add((hasMark ? "\uFEFF" : "") + "id,name\n", charset);
      while (place - made.bytes.size() > 600) {
        String name = "ä€😀".repeat(made.rows.size() % 9) + "x".repeat(made.rows.size() % 90);
        made.rows.add(List.of(made.rows.size() + "", name.isEmpty() ? "-" : name));
        made.add(String.join(",", made.rows.getLast().toArray(String[]::new)) + "\n", charset);
      }
      made.add("z,", charset);
      made.add("y".repeat((place - made.bytes.size()) / 2), charset);
      return made;
    }

    void add(String text, Charset charset) {
      bytes.writeBytes(text.getBytes(charset));
    }

    long line() {
      return rows.size() + 2L;
    }
  }

  /// The bytes of code units; the last is one byte, or -1 if there is none.
  private static byte[] half(int[] units, Charset charset) {
    boolean little = charset.equals(StandardCharsets.UTF_16LE);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < units.length - 1; i++) {
      out.write(little ? units[i] : units[i] >> 8);
      out.write(little ? units[i] >> 8 : units[i]);
    }
    if (units[units.length - 1] >= 0) {
      out.write(units[units.length - 1]);
    }
    return out.toByteArray();
  }

  private static byte[] packed(byte[] bytes, String name) throws IOException {
    if (name.endsWith(".zst")) {
      return Zstd.compress(bytes);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (name.endsWith(".gz")) {
      try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
        gzip.write(bytes);
      }
      return out.toByteArray();
    }
    return bytes;
  }

  private static String reason(byte[] half, String charset, int place, long line) {
    return "byte 0x%02X is no %s (byte %d, line %d)".formatted(half[0], charset, place, line);
  }

  private void check(Path file, String charset, Made made, String reason) {
    List<Trial.Read> read = Trial.of(file, Map.of("charset", charset)).rejects().read();
    assertThat(read.stream().filter(each -> each.reject() == null).map(Trial.Read::fields))
        .isEqualTo(made.rows);
    List<Trial.Read> bad = read.stream().filter(each -> each.reject() != null).toList();
    assertThat(bad).as(reason).hasSize(1);
    assertThat(String.valueOf(bad.getFirst().reject())).contains(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "UTF-16LE, UTF-16LE, false, t.csv",
    "UTF-16BE, UTF-16BE, false, t.csv",
    "UTF-16LE, UTF-16LE, true, t.csv",
    "UTF-16LE, UTF-16, true, t.csv",
    "UTF-16BE, UTF-16, true, t.csv",
    "UTF-16BE, UTF-16, false, t.csv",
    "UTF-16LE, UTF-16LE, false, t.csv.gz",
    "UTF-16BE, UTF-16BE, true, t.csv.zst"
  })
  void halfACharacterAtTheEndIsABadRecordWithItsPlace(
      Charset written, String said, boolean hasMark, String name) throws IOException {
    int turn = 0;
    for (int place : PLACES) {
      for (int[] units : HALVES) {
        // Of larger files some will do: at each place other halves in turn.
        if (place > 200 && turn++ % (place > 200_000 ? 5 : 2) != 0) {
          continue;
        }
        Made made = Made.upTo(place, written, hasMark);
        byte[] half = half(units, written);
        made.bytes.writeBytes(half);
        Path file = Trial.file(folder, name, packed(made.bytes.toByteArray(), name));
        String reason = reason(half, said, place, made.line());
        check(file, said, made, reason);
        if (place == 65_536) {
          assertThatThrownBy(() -> Trial.of(file, Map.of("charset", said)).read())
              .isInstanceOf(Fault.Data.class)
              .hasMessageContaining(reason);
        }
      }
    }
  }

  /// The records around it are as they were.
  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
  void halfAPairOfSurrogatesWithinAFileCostsItsRecordAlone(String name) {
    Charset charset = Charset.forName(name);
    for (int place : PLACES) {
      for (int unit : new int[] {0xD83D, 0xDC00}) {
        Made made = Made.upTo(place, charset, false);
        long line = made.line();
        byte[] half = half(new int[] {unit, -1}, charset);
        made.bytes.writeBytes(half);
        made.add("y\n1,after\n", charset);
        made.rows.add(List.of("1", "after"));
        Path file = Trial.file(folder, "t.csv", made.bytes.toByteArray());
        check(file, name, made, reason(half, name, place, line));
      }
    }
  }

  /// A record that is nothing but half a character is one, too.
  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
  void halfACharacterAloneOnItsLineIsABadRecord(String name) {
    Charset charset = Charset.forName(name);
    for (int[] units : HALVES) {
      Made made = new Made(new ByteArrayOutputStream(), new ArrayList<>());
      made.add("id\n1\n", charset);
      made.rows.add(List.of("1"));
      byte[] half = half(units, charset);
      made.bytes.writeBytes(half);
      Path file = Trial.file(folder, "t.csv", made.bytes.toByteArray());
      check(file, name, made, reason(half, name, 10, 3));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
  void halfACharacterThatAFileBeginsWithIsABadRecord(String name) {
    Charset charset = Charset.forName(name);
    for (int unit : new int[] {0xD83D, 0xDC00}) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      byte[] half = half(new int[] {unit, -1}, charset);
      bytes.writeBytes(half);
      bytes.writeBytes("x\n1\n".getBytes(charset));
      Path file = Trial.file(folder, "t.csv", bytes.toByteArray());
      Trial trial = Trial.of(file, Map.of("charset", name, "header", "false"));
      assertThatThrownBy(trial::read)
          .isInstanceOf(Fault.Data.class)
          .hasMessageContaining(reason(half, name, 0, 1));
      assertThat(trial.rejects().rows()).containsExactly(List.of("1"));
    }
  }
}
