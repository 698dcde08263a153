package millrace.connectors.oracle;

/// The same for direct path streams, which are there before their receipts are.
class OracleNativeResumeSuiteTest extends OracleResumeSuiteTest {

  @Override
  protected String method() {
    return "native";
  }

  @Override
  protected String refusalInDoubt() {
    return "killed at the end of a stream, and nobody can tell";
  }
}
