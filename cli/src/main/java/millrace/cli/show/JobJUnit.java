package millrace.cli.show;

import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import millrace.fault.Fault;
import millrace.job.DefinitionSteps;
import millrace.job.JobResult;
import millrace.job.TableResult;
import millrace.job.TableResult.State;
import millrace.plan.FaultMessage;

/// The summary of a job as JUnit XML, for servers that show test results: each copy is a test.
public final class JobJUnit {

  private JobJUnit() {}

  /// The document.
  ///
  /// @param job its name
  public static String xml(String job, JobResult result) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
      xml.writeStartDocument("UTF-8", "1.0");
      suite(xml, job, result);
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException e) {
      throw new Fault.Bug("JUnit XML can't be written: " + e.getMessage(), e);
    }
    return text.append('\n').toString();
  }

  private static void suite(XMLStreamWriter xml, String job, JobResult all)
      throws XMLStreamException {
    List<TableResult> results = all.tables();
    List<Fault> hooks = all.failedHooks();
    List<DefinitionSteps.FailedObject> objects = all.failedObjects();
    long failed = results.stream().filter(result -> result.state() == State.FAILED).count();
    long skipped =
        results.stream()
            .filter(result -> result.state() == State.NOT_BEGUN || result.state() == State.STOPPED)
            .count();
    line(xml, 0);
    xml.writeStartElement("testsuite");
    attribute(xml, "name", job);
    attribute(xml, "tests", Integer.toString(results.size() + hooks.size() + objects.size()));
    attribute(xml, "failures", Long.toString(failed + hooks.size() + objects.size()));
    attribute(xml, "errors", "0");
    attribute(xml, "skipped", Long.toString(skipped));
    attribute(xml, "time", seconds(all.nanos()));
    for (TableResult result : results) {
      test(xml, job, result);
    }
    for (DefinitionSteps.FailedObject object : objects) {
      begin(xml, job, object.kind() + " " + object.name(), 0);
      failure(xml, object.fault());
      end(xml);
    }
    for (Fault hook : hooks) {
      begin(xml, job, "hook", 0);
      failure(xml, hook);
      end(xml);
    }
    line(xml, 0);
    xml.writeEndElement();
  }

  private static void test(XMLStreamWriter xml, String job, TableResult result)
      throws XMLStreamException {
    begin(xml, job, result.name(), result.nanos());
    Fault fault = result.fault();
    if (result.state() == State.FAILED && fault != null) {
      failure(xml, fault);
    } else if (result.state() == State.NOT_BEGUN || result.state() == State.STOPPED) {
      line(xml, 4);
      xml.writeEmptyElement("skipped");
      attribute(xml, "message", result.state().words());
    }
    line(xml, 4);
    xml.writeStartElement("system-out");
    xml.writeCharacters(
        visible(
            String.format(
                Locale.ROOT,
                "%s: %d rows, %d rejects. %s",
                result.state().words(),
                result.rows(),
                result.rejects(),
                String.join("; ", result.notes()))));
    xml.writeEndElement();
    end(xml);
  }

  private static void begin(XMLStreamWriter xml, String job, String name, long nanos)
      throws XMLStreamException {
    line(xml, 2);
    xml.writeStartElement("testcase");
    attribute(xml, "classname", job);
    attribute(xml, "name", name);
    attribute(xml, "time", seconds(nanos));
  }

  private static void end(XMLStreamWriter xml) throws XMLStreamException {
    line(xml, 2);
    xml.writeEndElement();
  }

  private static void failure(XMLStreamWriter xml, Fault fault) throws XMLStreamException {
    line(xml, 4);
    xml.writeStartElement("failure");
    attribute(xml, "message", FaultMessage.of(fault));
    attribute(xml, "type", fault.getClass().getSimpleName());
    xml.writeCharacters(visible(FaultMessage.advice(fault)));
    xml.writeEndElement();
  }

  private static void attribute(XMLStreamWriter xml, String name, String value)
      throws XMLStreamException {
    xml.writeAttribute(name, visible(value));
  }

  private static void line(XMLStreamWriter xml, int blanks) throws XMLStreamException {
    xml.writeCharacters("\n" + " ".repeat(blanks));
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.3f", nanos / 1e9);
  }

  /// XML 1.0 has no way to write most control characters.
  private static String visible(String text) {
    StringBuilder visible = new StringBuilder();
    text.codePoints()
        .forEach(letter -> {
          boolean isAllowed =
              letter == '\t'
                  || letter == '\n'
                  || (letter >= ' ' && letter <= 0xD7FF)
                  || (letter >= 0xE000 && letter <= 0xFFFD)
                  || letter >= 0x10000;
          visible.appendCodePoint(isAllowed ? letter : 0xFFFD);
        });
    return visible.toString();
  }
}
