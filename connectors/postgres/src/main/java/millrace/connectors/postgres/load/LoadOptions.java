package millrace.connectors.postgres.load;

import java.util.List;
import java.util.Locale;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Option;

/// What the user allows so that a load goes faster: each gives up something that a plain load
/// keeps, and the plan says what.
///
/// @param freeze whether rows go in frozen, which binds a table to one transaction and so to one
///   lane
/// @param deferIndexes whether indexes and keys are made after the rows
/// @param unlogged whether tables that are made have no write-ahead log
/// @param method how rows are handed over
/// @param generatesIdentity whether the server makes the values of identity columns
public record LoadOptions(
    boolean freeze,
    boolean deferIndexes,
    boolean unlogged,
    InsertMethod method,
    boolean generatesIdentity) {

  static final LoadOptions NONE = new LoadOptions(false, false, false, InsertMethod.NATIVE, false);

  private static final String FREEZE = "freeze";
  private static final String DEFER_INDEXES = "defer-indexes";
  private static final String UNLOGGED = "unlogged";
  private static final String IDENTITY = "identity";
  private static final String KEEP = "keep";

  private static final List<Option> OPTIONS =
      List.of(
          Option.targetFlag(
              FREEZE,
              "Store the rows frozen (COPY FREEZE), so that no vacuum has to write them again: the"
                  + " table is made or emptied in the one transaction that fills it, on one lane."),
          Option.targetFlag(
              DEFER_INDEXES,
              "Make indexes and keys after the rows. Those of a table that stays are taken away and"
                  + " made again in the one transaction that fills it."),
          Option.targetFlag(
              UNLOGGED,
              "Tables that are made have no write-ahead log: a crash of the server empties them."),
          InsertMethod.option(),
          Option.target(
              IDENTITY,
              "Whose values identity columns get: keep (the source's, as COPY does; the default) or"
                  + " generate (the server's).",
              KEEP));

  public static List<Option> options() {
    return OPTIONS;
  }

  /// What an endpoint asks for.
  ///
  /// @throws Fault.User if one has no such value, or two exclude each other
  public static LoadOptions of(Endpoint endpoint) {
    LoadOptions options =
        new LoadOptions(
            endpoint.flag(FREEZE, false),
            endpoint.flag(DEFER_INDEXES, false),
            endpoint.flag(UNLOGGED, false),
            InsertMethod.of(endpoint),
            generatesIdentity(endpoint));
    if (options.freeze && options.method != InsertMethod.NATIVE) {
      throw new Fault.User(
          "Only COPY stores rows frozen, not the insert method " + options.method + ".",
          "Leave --freeze or --method out.");
    }
    return options;
  }

  private static boolean generatesIdentity(Endpoint endpoint) {
    String whose = endpoint.text(IDENTITY).orElse(KEEP);
    return switch (whose.toLowerCase(Locale.ROOT)) {
      case KEEP -> false;
      case "generate" -> true;
      default ->
          throw new Fault.User(
              "--identity " + whose + " is neither keep nor generate.",
              "keep takes the source's values of identity columns, generate lets the server make"
                  + " them.");
    };
  }

  /// Refuses them for a table that is only read.
  public static void refuse(Endpoint endpoint) {
    for (Option option : OPTIONS) {
      if (endpoint.text(option.name()).isPresent()) {
        throw new Fault.User(
            option.name()
                + " is for tables that are loaded, and "
                + endpoint.label()
                + " is only read.",
            "Leave it out there.");
      }
    }
  }

  /// What becomes of frozen rows.
  static String freezeNote() {
    return "rows are stored frozen, in one transaction: transactions that began before its end may"
        + " see them too";
  }

  /// What a table without a log is worth.
  static String unloggedNote(QualifiedName table) {
    return table.label()
        + " is not crash-safe: it is unlogged, so that a crash of the server empties it and standby"
        + " servers have no rows of it, until somebody runs ALTER TABLE "
        + table.sql()
        + " SET LOGGED";
  }

  /// The fault that says why these rows can't be frozen.
  static Fault.User cantFreeze(QualifiedName table, String why, String advice) {
    return new Fault.User("--freeze can't be used for " + table.label() + ": " + why + ".", advice);
  }

  /// The fault that says why this table can't be made unlogged.
  static Fault.User cantUnlog(QualifiedName table) {
    return new Fault.User(
        "--unlogged is for tables that Millrace makes, and "
            + table.label()
            + " exists and stays as it is.",
        "Leave --unlogged out, or use --mode replace.");
  }
}
