package millrace.connectors.file;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.data.Type;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.number.NumberStyle;
import millrace.data.spelling.time.EpochUnit;
import millrace.fault.Fault;
import millrace.spi.ColumnsOption;
import millrace.spi.ColumnsOption.Named;
import millrace.spi.Endpoint;

/// In which ways a file holds values of one type, as `columns` says it: timestamps as
/// `timestamptz(epoch s)`, numbers with a unit as `decimal(5,2)(percent)` or `decimal(12,2)(usd)`.
final class HeldAs {

  private static final Map<String, EpochUnit> EPOCHS =
      Stream.of(EpochUnit.values())
          .collect(Collectors.toMap(each -> "epoch " + each.label(), each -> each));

  private HeldAs() {}

  /// What the option says.
  static List<Named> columns(Endpoint endpoint) {
    List<Named> named =
        ColumnsOption.of(endpoint, "columns", List.copyOf(EPOCHS.keySet()), NumberStyle.units());
    for (Named each : named) {
      if (EPOCHS.containsKey(each.heldAs()) && !(each.type() instanceof Type.Timestamp)) {
        throw new Fault.User(
            "The column '" + each.name() + "' is no timestamp, and only those count from 1970.",
            "Write timestamptz(" + each.heldAs() + ") or timestamp(" + each.heldAs() + ").");
      }
    }
    return named;
  }

  /// How values of a column are spelled that is held so.
  static SpellingStyle style(SpellingStyle style, Named named) {
    if (named.heldAs().isEmpty()) {
      return style;
    }
    EpochUnit epoch = EPOCHS.get(named.heldAs());
    return epoch == null ? style.with(style.numbers().in(named.heldAs())) : style.with(epoch);
  }
}
