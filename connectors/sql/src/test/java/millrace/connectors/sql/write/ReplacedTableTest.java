package millrace.connectors.sql.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.TargetColumn;
import millrace.spi.write.WriteOptions;
import org.junit.jupiter.api.Test;

/// A table that is replaced keeps what a new one would not have, if the rows fit into it.
class ReplacedTableTest {

  private static final Column ID = Column.of("id", new Type.Int(64));
  private static final Column NAME = Column.of("name", Type.Text.UNLIMITED);

  private static final ReplacedTable TABLE =
      new ReplacedTable(
          "shop?table=t",
          "h2",
          List.of(
              TargetColumn.of(ID, false),
              TargetColumn.of(NAME, true),
              new TargetColumn("twice", new Type.Int(64), null, true, false, "a generated column")),
          List.of("id"),
          List.of("generated column twice", "default of name"),
          List.of());

  /// The table makes the values of that column itself.
  @Test
  void aGeneratedColumnNeedNotComeForTheTableToStay() {
    assertThat(TABLE.stays(Schema.of(List.of(ID, NAME)), WriteOptions.DEFAULT)).isTrue();
  }

  @Test
  void anotherColumnMustComeAndTheAdviceFillsTheTableWithoutIt() {
    assertThatThrownBy(() -> TABLE.stays(Schema.of(List.of(ID)), WriteOptions.DEFAULT))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.advice()).contains("--mode truncate", "--types source"))
        .hasMessageContaining("the source has no column name");
  }
}
