package millrace.spi.read;

/// The capability of a source that can be read as it was at an earlier moment, so that a copy goes
/// on with the same rows however the source has changed since.
public interface Snapshot {

  /// From now on the source is read as it was. Asked once it is described, before it is opened.
  ///
  /// @param content what {@link SourceIdentity#content} was then
  /// @return why it can't be read so, as a sentence without its end; empty if it will be
  String reopen(String content);
}
