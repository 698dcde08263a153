package millrace.spi.read;

/// The capability of a described source that can be read as it was at an earlier moment, so that a
/// copy goes on with the same rows however the source has changed since.
public interface Snapshot {

  /// From now on the source is read as it was, whoever opens it.
  ///
  /// @param content what {@link SourceIdentity#content} was then
  /// @return why it can't be read so, as a sentence without its end; empty if it will be
  String reopen(String content);
}
