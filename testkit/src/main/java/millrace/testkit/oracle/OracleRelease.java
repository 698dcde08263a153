package millrace.testkit.oracle;

/// Which release the stand-in says that it is: the driver writes some messages and types otherwise.
public enum OracleRelease {
  /// 19c: no BOOLEAN in SQL.
  R19(
      12,
      0x13160000,
      "19.0.0.0.0",
      "19.22.0.0.0",
      "Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production"),
  /// 26ai, which calls itself 23.26.
  R23(
      24,
      0x171A0000,
      "23.0.0.0.0",
      "23.26.0.0.0",
      "Oracle AI Database 26ai Free Release 23.26.0.0.0 - Develop, Learn, and Run for Free");

  private final int fieldVersion;
  private final int versionWord;
  private final String version;
  private final String fullVersion;
  private final String banner;

  OracleRelease(
      int fieldVersion, int versionWord, String version, String fullVersion, String banner) {
    this.fieldVersion = fieldVersion;
    this.versionWord = versionWord;
    this.version = version;
    this.fullVersion = fullVersion;
    this.banner = banner;
  }

  /// The version of TTC's fields, which decides about the shape of many messages.
  public int fieldVersion() {
    return fieldVersion;
  }

  /// The version as a number: a byte each for release, update and so on.
  public int versionWord() {
    return versionWord;
  }

  public String version() {
    return version;
  }

  public String fullVersion() {
    return fullVersion;
  }

  public String banner() {
    return banner;
  }
}
