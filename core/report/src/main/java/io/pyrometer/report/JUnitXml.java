package io.pyrometer.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
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
   * @param message one sentence; shown where the case did not pass
   */
  public record Case(String group, String name, double seconds, Outcome outcome, String message) {}

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
        String seconds = String.format(Locale.ROOT, "%.3f", one.seconds());
        start(
            xml, "testcase", Map.of("classname", one.group(), "name", one.name(), "time", seconds));
        if (one.outcome() != Outcome.PASSED) {
          String element =
              switch (one.outcome()) {
                case FAILED -> "failure";
                case SKIPPED -> "skipped";
                case PASSED, UNDECIDED -> "error";
              };
          start(xml, element, Map.of("message", one.message()));
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
