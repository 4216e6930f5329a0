package io.pyrometer.experiment;

import io.pyrometer.protocol.RecordShape;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The experiments and records that come with Pyrometer. */
public final class Shipped {

  private static final List<String> EXPERIMENTS =
      List.of(
          "first-light",
          "harness",
          "network-impact",
          "writing-fast",
          "writing-ladder",
          "scalability",
          "factors",
          "factors-foldover",
          "latency-under-load",
          "distance",
          "links",
          "guarantees",
          "trap-streamer",
          "trap-individual-receiver",
          "trap-unaware-client",
          "trap-one-by-one",
          "trap-marshalling",
          "trap-transactional",
          "trap-stale-reads",
          "writer",
          "writer-sweeps",
          "writer-links");
  private static final List<String> RECORDS = List.of("sample-record", "stock-order");

  private Shipped() {}

  /** Names of the experiments, {@code first-light} first. */
  public static List<String> experiments() {
    return EXPERIMENTS;
  }

  /** The text of an experiment; empty if none of this name ships. */
  public static Optional<String> experiment(String name) {
    return EXPERIMENTS.contains(name)
        ? Optional.of(text("/experiments/" + name + ".yaml"))
        : Optional.empty();
  }

  /** The JSON Schema of experiment files, with the settings of the drivers that ship. */
  public static String schema() {
    return text("/schema/experiment.schema.json");
  }

  /** The JSON Schema of the form of experiment files, without settings. */
  static String form() {
    return text("/schema/form.schema.json");
  }

  /** The records, by the name that files use. */
  static Map<String, RecordShape> records() {
    Map<String, RecordShape> records = new TreeMap<>();
    for (String name : RECORDS) {
      Problems problems = new Problems(name + ".yaml");
      YamlNode.Parser.parse(text("/records/" + name + ".yaml"), problems)
          .flatMap(node -> new RecordReader(problems).read(node))
          .ifPresent(record -> records.put(name, record));
      problems.throwIfAny();
    }
    return records;
  }

  private static String text(String resource) {
    try (InputStream stream = Shipped.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException("The resource " + resource + " is missing.");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
