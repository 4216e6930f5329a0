package io.pyrometer.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
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
    /** It could not be judged. */
    SKIPPED
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
      xml.writeStartElement("testsuite");
      xml.writeAttribute("name", printable(suite));
      xml.writeAttribute("tests", String.valueOf(cases.size()));
      xml.writeAttribute("failures", String.valueOf(count(cases, Outcome.FAILED)));
      xml.writeAttribute("errors", "0");
      xml.writeAttribute("skipped", String.valueOf(count(cases, Outcome.SKIPPED)));
      for (Case one : cases) {
        write(xml, one);
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

  private static void write(XMLStreamWriter xml, Case one) throws XMLStreamException {
    xml.writeCharacters("\n  ");
    xml.writeStartElement("testcase");
    xml.writeAttribute("classname", printable(one.group()));
    xml.writeAttribute("name", printable(one.name()));
    xml.writeAttribute("time", String.format(Locale.ROOT, "%.3f", one.seconds()));
    switch (one.outcome()) {
      case PASSED -> xml.writeCharacters("");
      case FAILED -> message(xml, "failure", one.message());
      case SKIPPED -> message(xml, "skipped", one.message());
    }
    xml.writeEndElement();
  }

  private static void message(XMLStreamWriter xml, String element, String message)
      throws XMLStreamException {
    xml.writeStartElement(element);
    xml.writeAttribute("message", printable(message));
    xml.writeEndElement();
  }

  private static long count(List<Case> cases, Outcome outcome) {
    return cases.stream().filter(one -> one.outcome() == outcome).count();
  }

  /** XML 1.0 has no place for control characters, not even escaped. */
  private static String printable(String text) {
    return text.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "?");
  }
}
