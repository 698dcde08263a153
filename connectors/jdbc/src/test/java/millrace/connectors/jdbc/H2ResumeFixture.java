package millrace.connectors.jdbc;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import millrace.testkit.suite.Behaviour;

abstract class H2ResumeFixture extends JdbcResumeFixture {

  @Override
  Engine engine(Path file) {
    return Engine.h2(file);
  }

  /// Once, after some hundred kills, CREATE TABLE never ended: H2's own code waited for a
  /// transaction of the killed process.
  @Override
  public Map<Behaviour, String> cannot() {
    Map<Behaviour, String> all = new EnumMap<>(super.cannot());
    all.put(
        Behaviour.OTHER_PROCESS,
        "a file of H2 2.5.252 whose process was killed may never answer again");
    return all;
  }
}
