package millrace.spi;

import millrace.data.Form;

/// An endpoint open for reading. The engine calls all methods but the readers' from one thread:
/// describe, then cost as often as it likes, then splits and reader(s), then close.
public interface Source extends AutoCloseable {

  /// Looks at the source: columns, size, how far it can be read in parallel.
  ///
  /// @throws millrace.fault.Fault.User where it is missing or can't be understood
  SourceDescription describe(Wanted wanted);

  /// What giving rows in this form costs, the source system's own work included, in nanoseconds of
  /// CPU per byte of text; negative where it does not speak the form. After describe.
  double cost(Form form);

  /// The splits, each of about that many bytes of the source where it can be cut. Called once.
  ///
  /// @param lanes most lanes at once
  Splits splits(long splitBytes, int lanes);

  /// A reader for one lane, giving batches in that form. Lanes may end and others begin during the
  /// run: then several readers after each other have the same lane's number, never at once.
  Reader reader(Form form, ReadContext context);

  @Override
  void close();
}
