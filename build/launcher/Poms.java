import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// What the poms say of the modules that the command line needs, and of their libraries.
final class Poms {

  private final Element main;
  private final Map<String, Path> folders = new HashMap<>();
  private final Map<Path, Module> modules = new LinkedHashMap<>();
  private final Map<String, Element> libraries = new LinkedHashMap<>();

  Poms(Path root) throws Exception {
    main = pom(root);
    addFolders(root);
    addModule(root.resolve("cli"));
  }

  /// The command line first.
  List<Module> modules() {
    return List.copyOf(modules.values());
  }

  Module moduleOf(Path source) {
    return modules.values().stream()
        .filter(module -> source.startsWith(module.folder()))
        .findFirst()
        .orElseThrow();
  }

  /// The language level.
  String release() {
    return text(children(main, "properties").getFirst(), "maven.compiler.release");
  }

  /// A pom that names the libraries of all modules and picocli's sources, to be put two folders
  /// below the main pom, which has their versions.
  String ofLibraries() throws Exception {
    Transformer toText = TransformerFactory.newInstance().newTransformer();
    toText.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
    StringWriter listed = new StringWriter();
    for (Element library : libraries.values()) {
      toText.transform(new DOMSource(library), new StreamResult(listed));
    }
    return """
    <project>
      <modelVersion>4.0.0</modelVersion>
      <parent>
        <groupId>%s</groupId>
        <artifactId>%s</artifactId>
        <version>%s</version>
        <relativePath>../../pom.xml</relativePath>
      </parent>
      <artifactId>libraries</artifactId>
      <packaging>pom</packaging>
      <dependencies>
        %s
        <dependency>
          <groupId>info.picocli</groupId>
          <artifactId>picocli</artifactId>
          <version>${picocli.version}</version>
          <classifier>sources</classifier>
        </dependency>
      </dependencies>
    </project>
    """
        .formatted(text(main, "groupId"), text(main, "artifactId"), text(main, "version"), listed);
  }

  private static Element pom(Path folder) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(folder.resolve("pom.xml").toFile())
        .getDocumentElement();
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  private static List<Element> children(Element parent, String list, String name) {
    return children(parent, list).stream().flatMap(each -> children(each, name).stream()).toList();
  }

  /// Empty if there is no such element.
  private static String text(Element parent, String name) {
    List<Element> found = children(parent, name);
    return found.isEmpty() ? "" : found.getFirst().getTextContent().strip();
  }

  private void addFolders(Path folder) throws Exception {
    Element pom = pom(folder);
    folders.put(text(pom, "artifactId"), folder);
    for (Element module : children(pom, "modules", "module")) {
      addFolders(folder.resolve(module.getTextContent().strip()));
    }
  }

  private void addModule(Path folder) throws Exception {
    if (modules.containsKey(folder)) {
      return;
    }
    Element pom = pom(folder);
    String version = text(main, "version");
    String jar = text(pom, "artifactId") + "-" + version + ".jar";
    modules.put(folder, new Module(folder, text(pom, "name"), version, jar));
    for (Element parent : children(pom, "parent")) {
      addDependencies(pom(folders.get(text(parent, "artifactId"))));
    }
    addDependencies(pom);
  }

  private void addDependencies(Element pom) throws Exception {
    for (Element dependency : children(pom, "dependencies", "dependency")) {
      if (!text(dependency, "scope").equals("test")) {
        String name = text(dependency, "artifactId");
        if (folders.containsKey(name)) {
          addModule(folders.get(name));
        } else {
          libraries.put(name + text(dependency, "classifier"), dependency);
        }
      }
    }
  }
}
