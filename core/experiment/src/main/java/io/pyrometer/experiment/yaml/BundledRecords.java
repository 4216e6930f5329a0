package io.pyrometer.experiment.yaml;

import io.pyrometer.protocol.RecordShape;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The records that come with Pyrometer. */
final class BundledRecords {
  private static final List<String> RECORDS = List.of("sample-record", "stock-order");

  private BundledRecords() {}

  /** The records, by the name that files use. */
  static Map<String, RecordShape> records() {
    Map<String, RecordShape> records = new TreeMap<>();
    for (String name : RECORDS) {
      Problems problems = new Problems(name + ".yaml");
      YamlNode.Parser.parse(text("/records/" + name + ".yaml"), problems)
          .map(new RecordReader(new Form(problems), problems)::read)
          .ifPresent(record -> records.put(name, record));
      problems.throwIfAny();
    }
    return records;
  }

  static String text(String resource) {
    try (InputStream stream = BundledRecords.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException("The resource " + resource + " is missing.");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
