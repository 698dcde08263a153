package millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// Compiles what documents and scripts give to their readers, against what tests run with.
public final class SourceCompiler {

  private SourceCompiler() {}

  /// Fails with what the compiler says if it does not take the sources.
  ///
  /// @param into the folder of the classes
  public static void compile(List<Path> sources, Path into) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "-proc:none", "-d", into.toString(), "-cp", System.getProperty("java.class.path"));
      boolean isFine =
          compiler
              .getTask(said, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
              .call();
      assertThat(isFine).as(said.toString()).isTrue();
    }
  }
}
