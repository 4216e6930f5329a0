package io.pyrometer.report;

import io.pyrometer.protocol.message.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Verdicts as the XML that CI systems show as tests. */
public final class JUnitXml {
  private JUnitXml() {}

  /** How a case ended. */
  public enum Outcome {
    PASSED,
    FAILED,
    /** There was nothing to judge. */
    SKIPPED,
    /** It could not be judged: an error, since a skipped test lets a build pass. */
    UNDECIDED
  }

  /**
   * One verdict.
   *
   * @param finding its id and values are properties of the case; its sentence is shown where the
   *     case did not pass
   */
  public record Case(String group, String name, Outcome outcome, Finding finding) {}

  /**
   * Writes one suite.
   *
   * @throws UncheckedIOException if the file cannot be written
   */
  public static void write(Path file, String suite, List<Case> cases) {
    try (Writer out = Files.newBufferedWriter(file)) {
      XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(out);
      xml.writeStartDocument("UTF-8", "1.0");
      start(
          xml,
          "testsuite",
          Map.of(
              "name", suite,
              "tests", String.valueOf(cases.size()),
              "failures", String.valueOf(count(cases, Outcome.FAILED)),
              "errors", String.valueOf(count(cases, Outcome.UNDECIDED)),
              "skipped", String.valueOf(count(cases, Outcome.SKIPPED))));
      for (Case one : cases) {
        Finding finding = one.finding();
        start(xml, "testcase", Map.of("classname", one.group(), "name", one.name()));
        start(xml, "properties", Map.of());
        property(xml, "id", finding.id());
        for (Map.Entry<String, Value> each : finding.values().entrySet()) {
          property(xml, each.getKey(), String.valueOf(each.getValue().value()));
        }
        xml.writeEndElement();
        String element =
            switch (one.outcome()) {
              case PASSED -> "";
              case FAILED -> "failure";
              case SKIPPED -> "skipped";
              case UNDECIDED -> "error";
            };
        if (!element.isEmpty()) {
          start(xml, element, Map.of("type", finding.id(), "message", finding.sentence()));
          xml.writeEndElement();
        }
        xml.writeEndElement();
      }
      xml.writeEndElement();
      xml.writeEndDocument();
      xml.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (XMLStreamException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }

  private static void property(XMLStreamWriter xml, String name, String value)
      throws XMLStreamException {
    start(xml, "property", Map.of("name", name, "value", value));
    xml.writeEndElement();
  }

  private static void start(XMLStreamWriter xml, String element, Map<String, String> attributes)
      throws XMLStreamException {
    xml.writeCharacters("\n");
    xml.writeStartElement(element);
    for (Map.Entry<String, String> attribute : new TreeMap<>(attributes).entrySet()) {
      xml.writeAttribute(attribute.getKey(), printable(attribute.getValue()));
    }
  }

  private static long count(List<Case> cases, Outcome outcome) {
    return cases.stream().filter(one -> one.outcome() == outcome).count();
  }

  /** XML 1.0 has no place for control characters, not even escaped. */
  private static String printable(String text) {
    return text.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "?");
  }
}
