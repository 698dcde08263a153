package millrace.connectors.postgres.load;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Option;

/// How rows are handed to the server.
public enum InsertMethod {
  /// One `INSERT` a row, sent in batches.
  NORMAL,
  /// One `INSERT` of many rows at a time.
  DIRECT,
  /// `COPY`.
  NATIVE;

  private static final String OPTION = "method";

  static Option option() {
    return Option.target(
        OPTION,
        "How rows are handed over: native (COPY, the default), direct (INSERT of --write-unit rows"
            + " at a time) or normal (an INSERT for each row, --write-unit of them at a time).",
        "native");
  }

  /// @throws Fault.User if it is none of them
  static InsertMethod of(Endpoint endpoint) {
    String given = endpoint.text(OPTION).orElse(NATIVE.toString());
    return Arrays.stream(values())
        .filter(method -> method.toString().equals(given.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() ->
            new Fault.User(
                "There is no insert method " + given + ".",
                "Use "
                    + Arrays.stream(values())
                        .map(InsertMethod::toString)
                        .collect(Collectors.joining(", "))
                    + "."));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
