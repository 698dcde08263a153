package millrace.plan.mapping;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import millrace.data.Column;
import millrace.spi.write.StagingName;

/// Cuts names that are too long for a target, and keeps them apart: the second of two that would be
/// alike ends in `_2`. The same columns always get the same names.
final class FittedNames {

  private FittedNames() {}

  static List<MappedColumn> fit(List<MappedColumn> columns, int bytesMax) {
    Set<String> taken = new HashSet<>();
    for (MappedColumn each : columns) {
      if (fits(each.column().name(), bytesMax)) {
        taken.add(key(each.column().name()));
      }
    }
    List<MappedColumn> fitted = new ArrayList<>();
    for (MappedColumn each : columns) {
      Column column = each.column();
      fitted.add(
          fits(column.name(), bytesMax)
              ? each
              : each.as(
                  new Column(
                      cut(column.name(), bytesMax, taken),
                      column.type(),
                      column.nullable(),
                      column.declared())));
    }
    return List.copyOf(fitted);
  }

  private static String cut(String name, int bytesMax, Set<String> taken) {
    String cut = StagingName.cut(name, bytesMax);
    for (int number = 2; !taken.add(key(cut)); number++) {
      String end = "_" + number;
      cut = StagingName.cut(name, bytesMax - end.length()) + end;
    }
    return cut;
  }

  private static boolean fits(String name, int bytesMax) {
    return name.getBytes(StandardCharsets.UTF_8).length <= bytesMax;
  }

  /// Many systems take names for one that differ in case alone.
  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
