package millrace.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.io.store.FileLocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The files that a glob means, as a few lines of plain recursion say it too.
final class DataFilesTest {

  @TempDir private Path home;

  private void make(String... names) {
    for (String name : names) {
      try {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, name);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private List<String> find(String glob) {
    try {
      return DataFiles.of(FileLocation.of(home + "/" + glob, Map.of())).stream()
          .map(file -> home.relativize(file).toString())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "g/**/*.csv        | g/1.csv g/a/2.csv g/a/b/3.csv",
        "**/*.csv          | 0.csv g/1.csv g/a/2.csv g/a/b/3.csv",
        "g/**              | g/1.csv g/a/2.csv g/a/b/3.csv g/a/x.txt",
        "g/**/b/*.csv      | g/a/b/3.csv",
        "**/a/**/*.csv     | g/a/2.csv g/a/b/3.csv",
        "g/**/**/*.csv     | g/1.csv g/a/2.csv g/a/b/3.csv",
        "g/*/*.csv         | g/a/2.csv",
        "*/?.csv           | g/1.csv",
        "g/a/[1-2].csv     | g/a/2.csv",
        "g/**/[!1-2].csv   | g/a/b/3.csv",
        "g/**/[^3].csv     | g/1.csv g/a/2.csv",
        "{g,h}/*.csv       | g/1.csv",
        "g/{1,a/2}.csv     | g/1.csv g/a/2.csv",
        "g/{,a/}{1,2}.csv  | g/1.csv g/a/2.csv",
        "g/a/*.{csv,txt}   | g/a/2.csv g/a/x.txt",
        "g/a/[x].*         | g/a/x.txt",
        "g/a/\\x.*         | g/a/x.txt"
      })
  void aGlobFindsTheseFiles(String glob, String files) {
    make("0.csv", "g/1.csv", "g/a/2.csv", "g/a/b/3.csv", "g/a/x.txt");
    assertThat(String.join(" ", find(glob))).isEqualTo(files);
  }

  @Test
  void hiddenNamesAreFoundByAPatternThatBeginsSoAndOursByNone() {
    make("a.csv", ".b.csv", "_c.csv", ".h/d.csv", "_t/e.csv", "_y=1/f.csv");
    make(".a.csv.millrace-0123.tmp", ".h/.g.csv.millrace-1-x.part");
    assertThat(find("**/*")).containsExactly("_y=1/f.csv", "a.csv");
    assertThat(find(".*")).containsExactly(".b.csv");
    assertThat(find("_*")).containsExactly("_c.csv");
    assertThat(find(".h/*")).containsExactly(".h/d.csv");
    assertThat(find(".*/**")).containsExactly(".h/d.csv");
    assertThatThrownBy(() -> find(".h/.*")).isInstanceOf(Fault.User.class);
  }

  @Test
  void aNameThatExistsIsNoGlob() {
    make("[a].csv", "a.csv", "{x}/1.csv", "d[1]/2.csv", "d1/3.csv", "*.csv", "w/*.csv");
    assertThat(find("[a].csv")).containsExactly("[a].csv");
    assertThat(find("{x}/*.csv")).containsExactly("{x}/1.csv");
    assertThat(find("d[1]/?.csv")).containsExactly("d[1]/2.csv");
    assertThat(find("*.csv")).containsExactly("*.csv");
    assertThat(find("w/\\*.cs?")).containsExactly("w/*.csv");
    assertThat(find("[[]a].cs?")).containsExactly("[a].csv");
  }

  @Test
  void aFolderIsReadOnceWhateverLinksLeadToIt() throws IOException {
    make("g/2026/1.csv", "g/2026/deep/2.csv");
    Files.createSymbolicLink(home.resolve("g/latest"), Path.of("2026"));
    Files.createSymbolicLink(home.resolve("g/2026/deep/loop"), Path.of("../.."));
    Files.createSymbolicLink(home.resolve("only"), Path.of("g/2026"));
    assertThat(find("g/**/*.csv")).containsExactly("g/2026/1.csv", "g/2026/deep/2.csv");
    assertThat(find("g/*/*.csv")).containsExactly("g/2026/1.csv");
    assertThat(find("only/**")).containsExactly("only/1.csv", "only/deep/2.csv");
    assertThat(find("on*/*.csv")).containsExactly("only/1.csv");
  }

  @Test
  void aLinkThatLeadsToNothingIsNotPassedOver() throws IOException {
    make("g/1.csv");
    Files.createSymbolicLink(home.resolve("g/2.csv"), Path.of("gone.csv"));
    assertThatThrownBy(() -> find("**/*.csv"))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("2.csv is a symbolic link to gone.csv");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "g/**/*.txt   | No file matches ",
        "nix/*.csv    | There is no folder ",
        "g/**.csv     | ** stands alone between slashes",
        "g/[z-a].csv  | a set of characters that makes no sense"
      })
  void nothingFoundIsSaid(String glob, String why) {
    make("g/1.csv");
    assertThatThrownBy(() -> find(glob)).isInstanceOf(Fault.User.class).hasMessageContaining(why);
  }

  /// Trees and globs over few names, so that they meet.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theReferenceFindsTheSame(long seed) throws IOException {
    Random random = new Random(seed);
    String[] names = {"a", "b", "ab", "a.b", ".a", "_b", "ba"};
    for (int i = 0; i < 40; i++) {
      StringBuilder path = new StringBuilder();
      for (int depth = random.nextInt(4); depth > 0; depth--) {
        path.append("d").append(names[random.nextInt(names.length)]).append('/');
      }
      make(path.append(names[random.nextInt(names.length)]).append(".f").toString());
    }
    List<String> all;
    try (Stream<Path> files = Files.walk(home)) {
      all =
          files.filter(Files::isRegularFile).map(file -> home.relativize(file).toString()).toList();
    }
    String[] parts = {
      "**", "*", "d*", "?a", "d[ab]*", "*[!a].f", "*.f", "da", "?.f", "[a-b]*", "_*"
    };
    for (int i = 0; i < 300; i++) {
      List<String> glob = new ArrayList<>();
      for (int length = 1 + random.nextInt(4); length > 0; length--) {
        glob.add(parts[random.nextInt(parts.length)]);
      }
      glob.set(glob.size() - 1, parts[random.nextInt(7)]);
      String text = String.join("/", glob);
      List<String> expected =
          all.stream().filter(file -> matches(glob, List.of(file.split("/", -1)))).toList();
      assertThat(findOrNone(text)).as(text).containsExactlyElementsOf(new TreeSet<>(expected));
    }
  }

  private List<String> findOrNone(String glob) {
    try {
      return find(glob).stream().sorted().toList();
    } catch (Fault.User e) {
      assertThat(e).hasMessageMatching("(?s)(No file matches|There is no (file|folder)) .*");
      return List.of();
    }
  }

  private static boolean matches(List<String> glob, List<String> names) {
    if (glob.isEmpty() || names.isEmpty()) {
      return glob.isEmpty() && names.isEmpty();
    }
    String first = glob.getFirst();
    List<String> others = glob.subList(1, glob.size());
    List<String> below = names.subList(1, names.size());
    if (!first.equals("**")) {
      return fits(first, names.getFirst()) && matches(others, below);
    }
    boolean endsHere = others.isEmpty() && below.isEmpty();
    return (!others.isEmpty() && matches(others, names))
        || (fits("*", names.getFirst()) && (endsHere || matches(glob, below)));
  }

  private static boolean fits(String pattern, String name) {
    boolean hidden = name.startsWith(".") || name.startsWith("_");
    return (!hidden || pattern.charAt(0) == name.charAt(0)) && fitsText(pattern, name);
  }

  private static boolean fitsText(String pattern, String name) {
    if (pattern.isEmpty() || (name.isEmpty() && !pattern.equals("*"))) {
      return pattern.isEmpty() && name.isEmpty();
    }
    if (pattern.charAt(0) == '*') {
      return fitsText(pattern.substring(1), name)
          || (!name.isEmpty() && fitsText(pattern, name.substring(1)));
    }
    int end = pattern.charAt(0) == '[' ? pattern.indexOf(']') : 0;
    String set = pattern.substring(0, end + 1);
    boolean one =
        switch (set) {
          case "?" -> true;
          case "[ab]", "[a-b]" -> "ab".indexOf(name.charAt(0)) >= 0;
          case "[!a]" -> name.charAt(0) != 'a';
          default -> set.charAt(0) == name.charAt(0);
        };
    return one && fitsText(pattern.substring(end + 1), name.substring(1));
  }
}
