package millrace.connectors.jdbc;

import java.nio.file.Path;

class HsqldbResumeSuiteTest extends JdbcResumeSuite {

  @Override
  Engine engine(Path file) {
    return Engine.hsqldb(file);
  }
}
