package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// No file of one package leads back to itself by way of another package: whoever reads such a file
/// has to read the whole circle. Files of one package may know each other.
class CyclesTest {

  /// Packages in and below which there still are circles.
  private static final List<String> CIRCLES =
      List.of(
          // A session knows the settings and the streams that are opened through it, and they know
          // the session; catalog, codec, load and journal hang on both.
          "millrace.connectors.postgres",
          // A Spelling makes its parsers of patterns, which fall back to it.
          "millrace.data.spelling");

  @Test
  void noFileLeadsBackToItselfByWayOfAnotherPackage() throws IOException {
    Map<String, Set<String>> uses = uses();
    assertThat(uses).hasSizeGreaterThan(500);
    assertThat(uses.get("millrace.cli.Verbs")).contains("millrace.cli.command.CopyCommand");
    Map<String, Set<String>> reached = new TreeMap<>();
    uses.keySet().forEach(file -> reached.put(file, reached(file, uses)));
    Set<String> circles = new TreeSet<>();
    Set<String> needed = new TreeSet<>();
    reached.forEach((file, all) -> {
      Set<String> circle = new TreeSet<>(all);
      circle.removeIf(other -> !reached.getOrDefault(other, Set.of()).contains(file));
      if (circle.stream().map(CyclesTest::folder).distinct().count() > 1) {
        List<String> excused =
            CIRCLES.stream()
                .filter(folder -> circle.stream().allMatch(each -> each.startsWith(folder + ".")))
                .toList();
        needed.addAll(excused);
        if (excused.isEmpty()) {
          circles.add(String.join(", ", circle));
        }
      }
    });
    assertThat(circles).as("files that lead back to themselves").isEmpty();
    assertThat(needed)
        .as("circles that are still there")
        .containsExactlyInAnyOrderElementsOf(CIRCLES);
  }

  /// For each file those that it uses, by their top-level classes.
  private static Map<String, Set<String>> uses() throws IOException {
    JavaClasses all =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("millrace");
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass type : all) {
      String file = file(type.getName());
      Set<String> used = uses.computeIfAbsent(file, _ -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        used.add(file(dependency.getTargetClass().getBaseComponentType().getName()));
      }
      used.addAll(constants(type));
      used.removeIf(name -> !name.startsWith("millrace.") || name.equals(file));
    }
    return uses;
  }

  /// The files that a class names in its constants: the compiler copies the value of a constant of
  /// another class, and leaves no other trace of it.
  private static Set<String> constants(JavaClass type) throws IOException {
    byte[] bytes;
    try (InputStream in = type.getSource().orElseThrow().getUri().toURL().openStream()) {
      bytes = in.readAllBytes();
    }
    Set<String> names = new TreeSet<>();
    for (PoolEntry entry : ClassFile.of().parse(bytes).constantPool()) {
      if (entry instanceof ClassEntry named) {
        names.add(file(named.asInternalName().replace('/', '.')));
      }
    }
    return names;
  }

  private static String file(String type) {
    return type.split("\\$", 2)[0];
  }

  private static String folder(String file) {
    return file.substring(0, file.lastIndexOf('.'));
  }

  private static Set<String> reached(String from, Map<String, Set<String>> uses) {
    Set<String> reached = new HashSet<>();
    Deque<String> next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      for (String other : uses.getOrDefault(next.pop(), Set.of())) {
        if (reached.add(other)) {
          next.push(other);
        }
      }
    }
    return reached;
  }
}
