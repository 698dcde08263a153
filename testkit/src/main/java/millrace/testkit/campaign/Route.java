package millrace.testkit.campaign;

/// From where to where the rows of a campaign go.
public enum Route {
  CSV_TO_POSTGRES,
  POSTGRES_TO_POSTGRES,
  POSTGRES_TO_CSV,
  CSV_TO_DUCKDB;

  boolean fromPostgres() {
    return this == POSTGRES_TO_POSTGRES || this == POSTGRES_TO_CSV;
  }

  boolean toPostgres() {
    return this == CSV_TO_POSTGRES || this == POSTGRES_TO_POSTGRES;
  }

  /// Whether anything of it goes over the network.
  boolean hasNetwork() {
    return this != CSV_TO_DUCKDB;
  }
}
