package millrace.engine;

import java.util.List;
import millrace.data.Type;

/// Types by the names that users know, for tests.
public final class Types {

  private static final List<Type> ALL =
      List.of(
          new Type.Bool(),
          new Type.Int(16),
          new Type.Int(32),
          new Type.Int(64),
          new Type.Float(32),
          new Type.Float(64),
          new Type.Date(),
          new Type.Time(),
          new Type.Timestamp(false),
          new Type.Timestamp(true),
          new Type.Uuid(),
          new Type.Json(),
          new Type.Bytes(),
          new Type.Opaque(),
          Type.Text.UNLIMITED,
          new Type.Text(2),
          new Type.Text(3),
          new Type.Text(3, Type.Text.Unit.UTF16),
          new Type.Text(4, Type.Text.Unit.BYTES),
          Type.Decimal.UNLIMITED,
          new Type.Decimal(4, 2),
          new Type.Decimal(12, 2),
          new Type.Decimal(12, 4),
          new Type.Decimal(20, 2),
          new Type.Decimal(38, 2),
          new Type.Decimal(38, 4));

  private Types() {}

  public static Type of(String label) {
    return ALL.stream().filter(type -> type.label().equals(label)).findFirst().orElseThrow();
  }
}
