import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.reflect.AccessFlag;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/// Compiles, and tells what other sources can see of a class.
final class Classes {

  private Classes() {}

  /// @param source what it was compiled from
  /// @param entry its name in a jar
  record Compiled(Path source, String entry, ByteArrayOutputStream bytes) {
    ByteBuffer content() {
      return ByteBuffer.wrap(bytes.toByteArray());
    }
  }

  /// Only what is wrong with the sources is said.
  static List<Compiled> compile(
      SortedMap<Path, ByteBuffer> sources, List<Path> libraries, String release)
      throws IOException, Build.Told {
    List<Compiled> compiled = new ArrayList<>();
    if (sources.isEmpty()) {
      return compiled;
    }
    List<JavaFileObject> texts = new ArrayList<>();
    sources.forEach((path, text) -> {
      String source = StandardCharsets.UTF_8.decode(text.duplicate()).toString();
      texts.add(SimpleJavaFileObject.forSource(path.toUri(), source));
    });
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null)) {
      standard.setLocationFromPaths(StandardLocation.CLASS_PATH, libraries);
      JavaFileManager files =
          new ForwardingJavaFileManager<>(standard) {
            @Override
            public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject source) {
              String entry = name.replace('.', '/') + kind.extension;
              Compiled made =
                  new Compiled(Path.of(source.toUri()), entry, new ByteArrayOutputStream());
              compiled.add(made);
              return new SimpleJavaFileObject(URI.create("memory:///" + entry), kind) {
                @Override
                public OutputStream openOutputStream() {
                  return made.bytes();
                }
              };
            }
          };
      List<String> options =
          List.of(
              "--release", release, "-g", "-parameters", "-proc:none", "-nowarn", "-Xlint:none");
      if (!compiler.getTask(null, files, null, options, null, texts).call()) {
        throw new Build.Told();
      }
    }
    return compiled;
  }

  /// What other sources can see of these classes: all but code, private members, and classes that
  /// stand inside of code.
  static Map<String, ByteBuffer> outsides(Map<String, ByteBuffer> classes) {
    Map<String, ByteBuffer> outsides = new TreeMap<>();
    classes.forEach((entry, file) -> {
      if (!entry.matches(".*\\$[0-9].*")) {
        outsides.put(entry, ByteBuffer.wrap(outside(file.array())));
      }
    });
    return outsides;
  }

  private static byte[] outside(byte[] file) {
    ClassFile format =
        ClassFile.of(
            ClassFile.ConstantPoolSharingOption.NEW_POOL, ClassFile.DebugElementsOption.DROP_DEBUG);
    ClassModel whole = format.parse(file);
    return format.transformClass(
        whole,
        (outside, element) -> {
          switch (element) {
            case MethodModel method when !method.flags().has(AccessFlag.PRIVATE) ->
                outside.transformMethod(
                    method, MethodTransform.dropping(part -> part instanceof CodeModel));
            case FieldModel field when !field.flags().has(AccessFlag.PRIVATE) ->
                outside.with(field);
            case InnerClassesAttribute all ->
                outside.with(
                    InnerClassesAttribute.of(
                        all.classes().stream()
                            .filter(each -> each.innerClass().equals(whole.thisClass()))
                            .toList()));
            case MethodModel _, FieldModel _, NestMembersAttribute _ -> {}
            default -> outside.with(element);
          }
        });
  }
}
