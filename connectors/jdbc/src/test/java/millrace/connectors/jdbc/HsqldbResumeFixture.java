package millrace.connectors.jdbc;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import millrace.testkit.suite.Behaviour;

/// In memory: in a file it syncs whenever a connection is closed.
abstract class HsqldbResumeFixture extends JdbcResumeFixture {

  @Override
  Engine engine(Path file) {
    return Engine.hsqldb(file);
  }

  @Override
  public Map<Behaviour, String> cannot() {
    Map<Behaviour, String> all = new EnumMap<>(super.cannot());
    all.put(Behaviour.SPLITS, "its locks would keep everybody from writing");
    all.put(Behaviour.OTHER_PROCESS, "it is in memory");
    return all;
  }
}
