package millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.connectors.Connectors;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.PostgresServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whose types a table has that takes the place of another, if it is loaded from text.
class ReplacedTypesTest {

  private static final PostgresServer SERVER = PostgresServer.shared();
  private static final String DATABASE = SERVER.newDatabase();
  private static final AtomicInteger NAMES = new AtomicInteger();

  @TempDir Path folder;

  private final String table = "old_" + NAMES.incrementAndGet();

  private Endpoint csv(String text, Map<String, String> parameters) throws IOException {
    Path file = Files.writeString(folder.resolve("a.csv"), text);
    return new Endpoint("file", file.toString(), parameters, Secret.NONE);
  }

  private Endpoint table(String system) {
    String location =
        system.equals("duckdb") ? folder.resolve("a.duckdb").toString() : SERVER.location(DATABASE);
    return new Endpoint(system, location, Map.of("table", table), Secret.NONE);
  }

  private static Copying replace(Endpoint from, Endpoint to, WriteOptions.@Nullable Types types) {
    return Copying.of(Connectors.ALL.of(from), from, Connectors.ALL.of(to), to)
        .landing(new WriteOptions(Mode.REPLACE, false, List.of(), false, types));
  }

  private static List<String> types(Endpoint table) {
    try (Source source = Connectors.ALL.of(table).source(table, Selection.ALL, new OpenContext())) {
      return source.describe(new ColumnRequest.Typed()).description().schema().columns().stream()
          .map(column -> column.type().label())
          .toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "duckdb"})
  void theOldTypesStayAndAValueThatDoesNotFitIsToldWithTheWayOut(String system) throws IOException {
    Endpoint to = table(system);
    replace(csv("id,amount\n1,5\n", Map.of("columns", "id:int32,amount:int32")), to, null).run();
    Endpoint from = csv("id,amount\n2,7.50\n", Map.of());
    assertThat(replace(from, to, null).plan().notes())
        .contains("the columns keep the old table's types; --types source takes the source's");
    assertThatThrownBy(() -> replace(from, to, null).run())
        .isInstanceOfSatisfying(
            Fault.Data.class,
            fault -> {
              assertThat(fault)
                  .hasMessageEndingWith("The type of column amount is that of the old table.");
              assertThat(fault.advice()).startsWith("To take the source's types instead, add");
            });
    assertThat(types(to)).containsExactly("int32", "int32");
    replace(from, to, WriteOptions.Types.SOURCE).run();
    assertThat(types(to).getLast()).startsWith("decimal");
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "duckdb"})
  void declaredColumnsWin(String system) throws IOException {
    Endpoint to = table(system);
    replace(csv("id,amount\n1,5\n", Map.of("columns", "id:int32,amount:int32")), to, null).run();
    Endpoint from = csv("id,amount\n2,7.50\n", Map.of("columns", "id,amount:decimal(9,2)"));
    assertThat(replace(from, to, null).plan().notes())
        .contains("column id keeps the old table's types; --types source takes the source's");
    replace(from, to, null).run();
    assertThat(types(to)).containsExactly("int32", "decimal(9,2)");
  }
}
