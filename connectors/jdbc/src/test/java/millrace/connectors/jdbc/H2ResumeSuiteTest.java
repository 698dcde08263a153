package millrace.connectors.jdbc;

import java.nio.file.Path;

class H2ResumeSuiteTest extends JdbcResumeSuite {

  @Override
  Engine engine(Path file) {
    return Engine.h2(file);
  }
}
