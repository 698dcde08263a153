package millrace.connectors.oracle;

import java.util.HashMap;
import java.util.Map;
import millrace.testkit.suite.Behaviour;

/// The same for direct path streams, which are there before their receipts are.
abstract class OracleNativeResumeFixture extends OracleResumeFixture {

  @Override
  public String method() {
    return "native";
  }

  @Override
  public String refusalInDoubt() {
    return "killed at the end of a stream, and nobody can tell";
  }

  @Override
  public Map<Behaviour, String> cannot() {
    Map<Behaviour, String> all = new HashMap<>(super.cannot());
    all.put(Behaviour.SHARED_COMMITS, "a stream commits by itself");
    return all;
  }
}
