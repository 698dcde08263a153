package millrace.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import millrace.engine.Run;
import millrace.engine.RunOptions;
import millrace.engine.lane.LanePool;
import millrace.plan.Planned;
import millrace.resume.EarlierRun;
import millrace.resume.Journal;
import millrace.resume.RecordedRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The shape that ARCHITECTURE.md describes is the one that the code has.
class ArchitectureTest {

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("millrace");

  private static final String CONNECTORS = "millrace.connectors.";

  private static final int COMPONENTS_MAX = 10;
  private static final int PARAMETERS_MAX = 8;

  @ParameterizedTest
  @CsvSource({
    // A batch has a Location, as a fault does; data/spelling throws faults.
    "data,      data fault",
    "fault,     fault",
    "text,      text fault",
    "tuning,    tuning text fault",
    "spi,       spi tuning text data fault",
    "io,        io spi text data fault",
    "endpoint,  endpoint io spi text data fault",
    "plan,      plan endpoint io spi tuning text data fault",
    "resume,    resume plan io spi tuning text data fault",
    "engine,    engine resume plan io spi tuning text data fault",
    "report,    report engine plan io spi tuning text data fault",
    "verify,    verify copy report engine resume plan io spi tuning text data fault",
    "copy,      copy report engine resume plan io spi tuning text data fault",
    "job,       job copy report engine resume plan endpoint io spi tuning text data fault",
    "online,    online plan endpoint report io spi tuning text data fault",
    "cli,       cli online connectors job copy verify report engine resume plan endpoint io spi"
        + " tuning text data fault",
  })
  void importsGoOneWay(String folder, String allowed) {
    List<String> packages = new ArrayList<>();
    for (String name : allowed.split(" ", -1)) {
      packages.add("millrace." + name + "..");
    }
    classes()
        .that()
        .resideInAPackage("millrace." + folder + "..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(packages.toArray(String[]::new)).or(outsideMillrace()))
        .check(ALL);
  }

  /// Whoever wants rows to move, or to know what has moved, asks `Copy`: then there is one way of
  /// looking for an earlier run, and one of ending.
  @Test
  void copyIsTheOneWayIn() {
    noClasses()
        .that()
        .resideOutsideOfPackages("millrace.copy..", "millrace.testkit..")
        .should()
        .callConstructor(Run.class, Planned.class, RunOptions.class)
        .check(ALL);
    noClasses()
        .that()
        .resideInAnyPackage("millrace.cli..", "millrace.verify..", "millrace.online..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Journal.class, EarlierRun.class, RecordedRun.class, LanePool.class)
        .check(ALL);
  }

  @Test
  void connectorsSeeTheContractAndNoOtherConnector() {
    for (String connector : connectorPackages()) {
      classes()
          .that()
          .resideInAPackage(connector + "..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      connector + "..",
                      "millrace.io..",
                      "millrace.spi..",
                      "millrace.tuning..",
                      "millrace.text..",
                      "millrace.data..",
                      "millrace.fault..",
                      CONNECTORS + "json..",
                      CONNECTORS + "sql..")
                  .or(outsideMillrace()))
          .check(ALL);
    }
  }

  /// Parts of one connector see each other across its packages; nobody else sees them.
  @Test
  void connectorsShowNothingButTheConnector() {
    classes()
        .that()
        .resideInAPackage("millrace.connectors")
        .should()
        .onlyDependOnClassesThat(
            describe(
                    "are connectors",
                    (JavaClass type) -> type.getSimpleName().endsWith("Connector"))
                .or(resideInAnyPackage("millrace.spi..", "java..", "org.jspecify.."))
                .or(resideInAPackage("millrace.connectors")))
        .check(ALL);
  }

  @Test
  void theRestOfTheCodeNamesNoConnector() {
    classes()
        .that()
        .resideInAPackage("millrace.connectors.*..")
        .should()
        .onlyBeAccessed()
        .byAnyPackage("millrace.connectors..")
        .check(ALL);
  }

  @Test
  void coreHasNoDriver() {
    noClasses()
        .that(outsideConnectors())
        .and()
        // Its driver is the user's own, and nothing is known of the engine behind it.
        .doNotHaveSimpleName("EngineAggregator")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.sql..", "javax.sql..", "org.postgresql..", "org.duckdb..", "org.sqlite..")
        .check(ALL);
  }

  @Test
  void onlyTheCommandLineEndsTheProgramOrPrints() {
    noClasses()
        .that()
        .resideOutsideOfPackages("millrace.cli..", "millrace.testkit..")
        .should()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .callMethod(Throwable.class, "printStackTrace")
        .orShould()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(ALL);
  }

  @Test
  void everyTypeThatArchitectureNamesExists() throws IOException {
    Set<String> known = ALL.stream().map(JavaClass::getSimpleName).collect(Collectors.toSet());
    Set<String> named = new TreeSet<>();
    Matcher code =
        Pattern.compile("`([A-Z][a-z][A-Za-z0-9]*)`")
            .matcher(Files.readString(Path.of("..", "ARCHITECTURE.md")));
    while (code.find()) {
      named.add(code.group(1));
    }
    assertThat(named).hasSizeGreaterThan(20);
    named.removeAll(known);
    assertThat(named).as("named by ARCHITECTURE.md, but not there").isEmpty();
  }

  /// A record with more components, or a constructor with more parameters, holds two ideas or more.
  @Test
  void recordsAndConstructorsAreSmall() {
    Set<String> large = new TreeSet<>();
    for (JavaClass type : ALL) {
      long components = type.isRecord() ? components(type) : -1;
      if (components > COMPONENTS_MAX) {
        large.add(type.getName() + " has " + components + " components");
      }
      for (JavaConstructor constructor : type.getConstructors()) {
        int parameters = constructor.getRawParameterTypes().size();
        // A record's own constructor has its components.
        if (parameters > PARAMETERS_MAX && parameters != components) {
          large.add(type.getName() + " has a constructor of " + parameters + " parameters");
        }
      }
    }
    assertThat(large).isEmpty();
  }

  private static long components(JavaClass recordType) {
    return recordType.getFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .count();
  }

  private static Set<String> connectorPackages() {
    Set<String> packages = new TreeSet<>();
    for (JavaClass type : ALL) {
      if (type.getPackageName().startsWith(CONNECTORS)) {
        String folder = type.getPackageName().substring(CONNECTORS.length());
        packages.add(CONNECTORS + folder.split("\\.", 2)[0]);
      }
    }
    packages.removeAll(Set.of(CONNECTORS + "json", CONNECTORS + "sql"));
    assertThat(packages).contains(CONNECTORS + "generate", CONNECTORS + "nothing");
    return packages;
  }

  private static DescribedPredicate<JavaClass> outsideMillrace() {
    return describe(
        "are outside millrace",
        type -> !type.getBaseComponentType().getName().startsWith("millrace."));
  }

  private static DescribedPredicate<JavaClass> outsideConnectors() {
    return describe(
        "are outside connectors and testkit",
        type ->
            !type.getPackageName().startsWith("millrace.connectors")
                && !type.getPackageName().startsWith("millrace.testkit"));
  }
}
