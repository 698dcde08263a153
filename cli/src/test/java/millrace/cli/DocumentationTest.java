package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.cli.option.ConnectorOptions;
import millrace.cli.option.HelpTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// README.md and the pages of docs/ name what exists, and README.md stays short.
class DocumentationTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path README = ROOT.resolve("README.md");
  private static final int README_LINES_MAX = 130;
  private static final Path ARCHITECTURE = ROOT.resolve("ARCHITECTURE.md");
  private static final int ARCHITECTURE_WORDS_MAX = 900;

  private static final List<String> VERBS =
      List.of(
          "copy",
          "run",
          "preview",
          "tables",
          "verify",
          "sweep",
          "online",
          "journal",
          "runs",
          "compare",
          "demo",
          "oracle-check");

  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");

  /// An option of another program.
  private static final Pattern OF_OTHERS =
      Pattern.compile(
          "(?m)(pg_dump|check|new-connector [a-z]+) --[a-z-]+"
              + "|^.*\\bspark-(class|submit|shell|sql) .*$");

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]*)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  @TempDir private Path home;

  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(README));
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  @Test
  void theReadmeIsShort() throws IOException {
    assertThat(Files.readAllLines(README)).hasSizeLessThanOrEqualTo(README_LINES_MAX);
  }

  /// The bars of a table are no words.
  @Test
  void architectureIsReadInAFewMinutes() throws IOException {
    assertThat(Files.readString(ARCHITECTURE).split("\\s+", -1))
        .filteredOn(word -> word.matches(".*[A-Za-z0-9].*"))
        .hasSizeLessThanOrEqualTo(ARCHITECTURE_WORDS_MAX);
  }

  /// Folders stand in its last listing: packages of core first, then those of the project.
  @Test
  void everyFolderThatArchitectureListsExists() throws IOException {
    String listing = Files.readString(ARCHITECTURE).split("## Layout", 2)[1];
    Path core = ROOT.resolve("core/src/main/java/millrace");
    Set<String> missing = new TreeSet<>();
    for (String packages : found(Pattern.compile("(?m)^ {6}((?:[a-z]+ {1,2})+)"), listing)) {
      for (String name : packages.strip().split(" {2}", -1)) {
        if (!Files.isDirectory(core.resolve(name.split(" ", 2)[0]))) {
          missing.add(name);
        }
      }
    }
    for (String folder : found(Pattern.compile("(?m)^ {4}([a-z/]+)"), listing)) {
      if (!Files.isDirectory(ROOT.resolve(folder))) {
        missing.add(folder);
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void everyPageIsReachedFromTheReadme() throws IOException {
    String readme = Files.readString(README);
    for (Path page : pages()) {
      assertThat(readme + "README.md").contains(page.getFileName().toString());
    }
  }

  @Test
  void everyOptionThatIsNamedExists() throws IOException {
    Set<String> known = new TreeSet<>();
    for (String verb : VERBS) {
      known.addAll(found(OPTION, new Cli(home).run(verb, "--help").out()));
    }
    for (String system : ConnectorOptions.systems()) {
      known.addAll(found(OPTION, new Cli(home).run("help", system).out()));
    }
    for (String topic : HelpTopic.names()) {
      known.addAll(found(OPTION, new Cli(home).run("help", topic).out()));
    }
    assertThat(known).contains("--resume", "--delimiter", "--html");
    for (Path page : pages()) {
      Set<String> named = found(OPTION, OF_OTHERS.matcher(Files.readString(page)).replaceAll(""));
      named.removeAll(known);
      assertThat(named).as("options of %s that do not exist", ROOT.relativize(page)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyLinkLeadsSomewhere(Path page) throws IOException {
    List<String> broken = new ArrayList<>();
    for (String link : found(LINK, Files.readString(page))) {
      if (!link.contains("://") && !leads(page, link)) {
        broken.add(link);
      }
    }
    assertThat(broken).as("links of %s that lead nowhere", ROOT.relativize(page)).isEmpty();
  }

  private static boolean leads(Path page, String link) throws IOException {
    String[] parts = link.split("#", 2);
    Path to = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    return Files.isRegularFile(to) && (parts.length == 1 || anchors(to).contains(parts[1]));
  }

  /// The anchors that GitHub gives the headings of a page.
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new TreeSet<>();
    for (String heading : found(HEADING, Files.readString(page))) {
      String words = heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 _-]", "");
      anchors.add(words.replace(' ', '-'));
    }
    return anchors;
  }

  /// What a pattern finds in a text: its first group, or all of it if it has none.
  private static Set<String> found(Pattern pattern, String text) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(Math.min(1, matcher.groupCount())));
    }
    return found;
  }
}
