package millrace.testkit.suite;

/// What a connector may be unable to do; its suite says so, each with a reason. The suite then
/// checks that it refuses, with a {@link millrace.fault.Fault.User}, instead of doing something
/// else.
public enum Behaviour {
  /// Puts a table of the source's columns in the place of the one that is there.
  REPLACE,
  /// Adds rows to those that are there.
  APPEND,
  /// Puts the rows in the place of those that are there, and keeps the definition.
  TRUNCATE,
  /// Updates the rows whose key is there, inserts the others.
  MERGE,
  /// Merges so that all rows appear at once, and counts what became of them.
  MERGE_WHOLE,
  /// Merges by columns that are not its key.
  MERGE_BY_ANY_COLUMNS,
  /// Makes a table that appears when it is complete.
  APPEARS_WHOLE,
  /// Appends and truncates so that all rows appear at once.
  ATOMIC,
  /// Takes some of an existing table's columns, and the types that they have there.
  EXISTING_COLUMNS,
  /// Knows the primary key and which columns may be empty, and keeps both.
  KEYS,
  /// Makes tables without a key whose columns may all be empty.
  KEYLESS,
  /// Tells names apart that differ in case alone.
  CASE_IN_NAMES,
  /// Has names of columns with double quotes in them; else those are refused.
  QUOTES_IN_NAMES,
  /// Tells text and bytes of no length from missing values; else they become missing, and the
  /// report counts them.
  EMPTY_TEXT,
  /// Keeps zeros at the end of a decimal that has no scale.
  DECIMAL_ZEROS,
  /// Makes tables of a thousand columns.
  THOUSAND_COLUMNS,
  /// Keeps microseconds of times; else those with more digits than a column keeps are bad records.
  MICROSECONDS,
  /// Has text without a length, of which keys can be.
  TEXT_KEYS,
  /// Holds every point in time with a zone from the year 1 to 9999; else others are bad records.
  ALL_INSTANTS,
  /// Keeps the sign of a floating-point zero; else -0 is refused as a bad record.
  SIGN_OF_ZERO,
  /// Tells keys apart that differ in blanks at their end.
  BLANKS_IN_KEYS,
  /// Keeps the text of a JSON document; else only what it says.
  JSON_TEXT,
  /// Has floating-point numbers of 32 bits; else they become some of 64.
  FLOAT32,
  /// Reads a table while rows are added to it; else a copy of a table into itself fails.
  INTO_ITSELF,
  /// Can be read in several splits.
  SPLITS,
  /// Has a split read by another process.
  OTHER_PROCESS,
  /// Is read by several processes in the state that one of them has taken; else that is refused.
  SHARED_MOMENT,
  /// Has a server whose connections can be cut by a proxy in front of it.
  SERVER,
  /// Has a server that says when rows are committed, so that its answer can be lost.
  LOST_ANSWERS,
  /// Ends what waits for a server that goes silent.
  SILENT_SERVER,
  /// Takes SQL, by which others make tables with constraints.
  SQL,
  /// Compares text of some columns in any case.
  ANY_CASE,
  /// Compares text of some columns without the blanks at its end.
  ANY_BLANKS,
  /// Gives numbers to new rows by itself.
  GIVEN_NUMBERS,
  /// Has triggers.
  TRIGGERS,
  /// Has triggers that give rows the values that they lack, and a catalog that tells of them.
  FILLING_TRIGGERS,
  /// Has views that find a table of the same name.
  VIEWS,
  /// Has comments of tables and columns.
  COMMENTS,
  /// Has tables that leave rows out without an error.
  ROWS_LEFT_OUT,
  /// Has locks that keep others from writing to a table.
  WRITE_LOCKS,
  /// Has locks that keep others from reading a table.
  READ_LOCKS,
  /// Tells a table from another that has got its name.
  TABLE_IDENTITY,
  /// Has tables with a journal beside them that a pattern of names could mean.
  NAME_PATTERNS,
  /// Has journals that earlier versions have written.
  EARLIER_JOURNALS,
  /// Tells a database that is not there from one that is.
  MISSING_DATABASES,
  /// Holds values of every kind that update keys are of.
  ALL_UPDATE_KEYS,
  /// Has range partitions for what arrives in an online run.
  RANGE_PARTITIONS,
  /// Lets another process open the tables of an online run.
  SHARED_STORE,
  /// Leaves a row of an online run as it is if its key is there. Else a call that failed has
  /// written nothing, so that it can be made again.
  IGNORED_REPEATS,
  /// Commits the rows of several small splits at once.
  SHARED_COMMITS,
  /// Takes a part of a split from a process that has joined a run, for others to go on with.
  PARTS_OF_JOINED_SPLITS,
  /// Can lose all rows of a table, by other means than the connector's.
  LOSS_OF_ROWS,
  /// Can lose rows that wait under another name for the end of a copy.
  LOSS_OF_STAGED,
  /// Can lose the last of them, and tells.
  LOSS_OF_LAST_STAGED
}
