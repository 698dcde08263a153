package millrace.connectors.sql.write;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/// How many empty values a database has taken for missing ones. Threads may share it.
final class EmptyTextCounter {

  private final LongAdder count = new LongAdder();

  void add(long more) {
    count.add(more);
  }

  /// What the report says of it.
  List<String> notes() {
    long empty = count.sum();
    if (empty == 0) {
      return List.of();
    }
    String many =
        empty == 1
            ? "%,d empty value became a missing one"
            : "%,d empty values became missing ones";
    return List.of(
        String.format(Locale.ROOT, many + ", since this database knows no empty text.", empty));
  }
}
