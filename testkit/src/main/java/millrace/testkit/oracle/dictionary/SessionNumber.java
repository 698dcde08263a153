package millrace.testkit.oracle.dictionary;

/// How servers of one or more instances number a session.
///
/// @param sid its number, which is another session's on another instance, and later on this one
/// @param serial what tells it from others that had the same number before
public record SessionNumber(long instance, long sid, long serial) {}
