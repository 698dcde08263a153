package millrace.resume;

/// What the user wants done about an earlier run that was cut off.
public enum ResumeChoice {
  /// Nothing was said: begin from the start, unless that would bring rows in twice.
  NONE,
  /// Go on with it; begin if there is nothing to resume.
  RESUME,
  /// Forget it and begin from the start.
  FRESH
}
