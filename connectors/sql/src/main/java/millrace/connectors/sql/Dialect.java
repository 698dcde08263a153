package millrace.connectors.sql;

import millrace.connectors.sql.types.TypeTable;
import org.jspecify.annotations.Nullable;

/// How one database differs from the others with SQL: what of it is the same always, and what has
/// to be looked up or decided, in four roles. All but the catalog have defaults.
///
/// None of it holds state that a copy changes: any thread may call it.
///
/// @param profile names, types, faults, what it can do and how it spells it
/// @param catalog what there is in a database
/// @param reads how tables are read
/// @param writes how tables are written to
/// @param locks what several sessions need that write at once and commit in parts; null if one
///   writes, in one transaction
public record Dialect(
    Profile profile, SqlCatalog catalog, Reads reads, Writes writes, @Nullable Locks locks) {

  /// One that is written to by one session, in one transaction.
  public Dialect(Profile profile, SqlCatalog catalog, Reads reads, Writes writes) {
    this(profile, catalog, reads, writes, null);
  }

  /// One that is read and written as most are.
  public Dialect(Profile profile, SqlCatalog catalog) {
    this(profile, catalog, () -> profile, () -> profile, null);
  }

  /// How names are quoted and compared.
  public Names names() {
    return profile.names();
  }

  /// Its types and ours.
  public TypeTable types() {
    return profile.types();
  }

  /// Who can do something about what its driver throws.
  public SqlFaults faults() {
    return profile.faults();
  }

  /// What it can do.
  public Capabilities capabilities() {
    return profile.capabilities();
  }

  /// How it spells what others spell in another way.
  public Statements statements() {
    return profile.statements();
  }

  /// What of a database is the same always.
  ///
  /// @param names how names are quoted and compared
  /// @param types its types and ours
  /// @param faults who can do something about what its driver throws
  /// @param capabilities what it can do
  /// @param statements how it spells what others spell in another way
  public record Profile(
      Names names,
      TypeTable types,
      SqlFaults faults,
      Capabilities capabilities,
      Statements statements) {}

  /// What a database can do, beside what its statements say.
  ///
  /// @param transactionalDdl whether a table that is made or dropped in a transaction is undone
  ///   with it
  /// @param sharesState whether several connections can see one state of the database; else one
  ///   lane reads
  /// @param emptyText what becomes of text or bytes of no length
  /// @param stopBytesMax a batch that fails has put the rows before the one that is refused into
  ///   the table, and says how many, if none of its values has more bytes; 0 if it may always have
  ///   done anything, so that it is undone
  public record Capabilities(
      boolean transactionalDdl, boolean sharesState, EmptyText emptyText, int stopBytesMax) {

    /// One that keeps empty text.
    public Capabilities(boolean transactionalDdl, boolean sharesState) {
      this(transactionalDdl, sharesState, EmptyText.PRESERVED, 0);
    }
  }

  /// What becomes of text or bytes of no length.
  public enum EmptyText {
    PRESERVED,
    /// The database takes it for a missing value: it is counted, and the report says so.
    MISSING,
    /// The same of text alone: bytes of no length stay.
    TEXT_MISSING,
    /// The same, but its row is refused.
    REFUSED
  }
}
