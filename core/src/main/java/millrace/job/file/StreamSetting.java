package millrace.job.file;

/// What a job file says under one name.
///
/// @param name the option's, as on the command line but without dashes
/// @param value as it is spelled, variables filled in; may hold a password if it is an end
/// @param line where it stands, from 1
public record StreamSetting(String name, String value, int line) {

  /// Names no value: it may hold a password.
  @Override
  public String toString() {
    return name + " of line " + line;
  }
}
