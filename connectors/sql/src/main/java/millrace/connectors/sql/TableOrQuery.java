package millrace.connectors.sql;

import java.util.List;
import java.util.stream.Collectors;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Option;
import org.jspecify.annotations.Nullable;

/// What an endpoint names: a table or view, or a query.
public sealed interface TableOrQuery {

  /// A table or a view.
  record Table(TableName name) implements TableOrQuery {}

  /// A query of the user's.
  record Query(String sql) implements TableOrQuery {}

  /// What an endpoint names; null if it names nothing.
  ///
  /// @throws Fault.User if it names both
  static @Nullable TableOrQuery of(Endpoint endpoint, Names names, String defaultSchema) {
    String query = endpoint.text("query").orElse(null);
    String table = endpoint.text("table").orElse(null);
    if (query != null && table != null) {
      throw new Fault.User(
          endpoint.label() + " names both a table and a query.", "Leave one of them out.");
    }
    if (query != null) {
      return new Query(query.strip().replaceFirst(";+$", ""));
    }
    return table == null ? null : new Table(TableName.parse(table, names, defaultSchema));
  }

  /// The table that an endpoint to be written names.
  ///
  /// @throws Fault.User if it names none
  static TableName target(Endpoint endpoint, Names names, String defaultSchema) {
    return switch (of(endpoint, names, defaultSchema)) {
      case Table(TableName name) -> name;
      case Query _ ->
          throw new Fault.User(
              endpoint.label() + ": a query can't be written to.", "Name a table with table=.");
      case null ->
          throw new Fault.User(
              endpoint.label() + " does not say which table.",
              "Add it: " + endpoint.label() + "?table=orders");
    };
  }

  /// How it is named in plans, reports and errors.
  static String label(Endpoint endpoint) {
    return endpoint
        .text("table")
        .map(table -> endpoint.label() + " table " + table)
        .orElse(endpoint.label());
  }

  /// What it is, whatever way it is spelled.
  default String identity(Names names) {
    return switch (this) {
      case Table(TableName name) -> name.identity(names);
      case Query(String sql) -> "query " + sql;
    };
  }

  /// What stands after FROM.
  default String from(Names names) {
    return switch (this) {
      case Table(TableName name) -> name.sql(names);
      case Query(String sql) -> "(" + sql + "\n) millrace_query";
    };
  }

  /// The options that name one.
  ///
  /// @param system how users call the database
  static List<Option> options(String system) {
    return List.of(
        new Option("table", "the table or view.", "orders"),
        new Option(
            "query",
            "what to read instead of a table: a SELECT in " + system + "'s SQL.",
            "SELECT * FROM orders JOIN customers USING (customer_id)"));
  }

  /// What an endpoint to be read names.
  ///
  /// @throws Fault.User if it names nothing, or both
  static TableOrQuery source(Endpoint endpoint, Names names, String defaultSchema) {
    TableOrQuery relation = of(endpoint, names, defaultSchema);
    if (relation == null) {
      throw new Fault.User(
          endpoint.label() + " does not say what to read.",
          "Add a table, as in " + endpoint.label() + "?table=orders");
    }
    return relation;
  }

  /// What there is, for whoever named something else.
  static String tables(List<String> names) {
    return names.isEmpty()
        ? "It has no tables."
        : names.stream().limit(20).collect(Collectors.joining(", ", "It has ", "."));
  }
}
