package millrace.testkit.campaign;

import java.util.List;
import java.util.stream.Stream;

/// From where to where the rows of a campaign go.
public enum Route {
  CSV_TO_POSTGRES,
  POSTGRES_TO_POSTGRES,
  POSTGRES_TO_CSV,
  CSV_TO_DUCKDB,
  CSV_TO_POSTGRES_ON_SPARK,
  POSTGRES_TO_POSTGRES_ON_SPARK;

  /// Whether it needs the Spark that SPARK_HOME names.
  public boolean isOnSpark() {
    return this == CSV_TO_POSTGRES_ON_SPARK || this == POSTGRES_TO_POSTGRES_ON_SPARK;
  }

  /// The options of a copy.
  ///
  /// @param first another option
  /// @param here whether it is not to run on Spark
  List<String> options(String first, boolean here) {
    return isOnSpark() && !here
        ? List.of(first, "--on", "local-cluster[2,1,1024]")
        : List.of(first);
  }

  /// All of one kind.
  static List<Route> all(boolean onSpark) {
    return Stream.of(values()).filter(each -> each.isOnSpark() == onSpark).toList();
  }

  boolean fromPostgres() {
    return switch (this) {
      case POSTGRES_TO_POSTGRES, POSTGRES_TO_CSV, POSTGRES_TO_POSTGRES_ON_SPARK -> true;
      case CSV_TO_POSTGRES, CSV_TO_DUCKDB, CSV_TO_POSTGRES_ON_SPARK -> false;
    };
  }

  boolean toPostgres() {
    return this != POSTGRES_TO_CSV && this != CSV_TO_DUCKDB;
  }

  /// Whether anything of it goes over the network.
  boolean hasNetwork() {
    return this != CSV_TO_DUCKDB;
  }
}
