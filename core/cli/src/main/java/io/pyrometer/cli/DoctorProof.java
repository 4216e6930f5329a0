package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.check.TestbedCheck;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.experiment.yaml.SampledExperiment;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.CacheSample;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.report.Finding;
import io.pyrometer.results.compare.ComparisonPage;
import io.pyrometer.results.compare.JudgedMetrics;
import io.pyrometer.results.compare.RunComparison;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * Measures what the actions of diagnoses change: on clusters that are started for it, with caches
 * and records like those of the cluster that was examined, which is left alone.
 *
 * @param out receives the progress
 * @param examined how the cluster is reached
 * @param within the longest time for one action
 */
record DoctorProof(
    CommandLine line, PrintWriter out, PlannedRun examined, Path runs, String within) {
  private static final String LIKE =
      """
      pyrometer: 1
      name: doctor-proof
      question: What does the change change?
      grid: {driver: %s}
      workload: {record: stock-order, records: 20000, path: put-all}
      """;

  private static final long RECORDS = 100_000;
  private static final int LOOKED_AT = 1_000;

  /**
   * The measured effect of an action.
   *
   * @param sentences a sentence for each access path, or why nothing could be measured
   * @param helps whether something became better and nothing worse; empty if that is not known
   */
  record Proof(List<String> sentences, Optional<Boolean> helps) {}

  /** Returns whether an experiment can measure the action. */
  static boolean possible(Diagnosis found) {
    return !found.comparison().changed().isEmpty();
  }

  /** Measures the action of a diagnosis; takes minutes. */
  Proof prove(HealthReport report, Diagnosis found) {
    InterleavedRun.Options options = new InterleavedRun.Options();
    options.within = Optional.of(within);
    options.set.add("nodes=" + report.servers());
    options.setA.addAll(settings(found.comparison().now()));
    options.setB.addAll(settings(found.comparison().changed()));
    try {
      RunComparison measured =
          new InterleavedRun(line, out, runs, new AttachedGrid(), Home.catalogue())
              .measure(List.of(experiment(report, found).toString()), options, JudgedMetrics.USUAL);
      List<String> sentences =
          ComparisonPage.effects(measured).stream().map(Finding::sentence).toList();
      return sentences.isEmpty()
          ? new Proof(List.of("No trial of both was valid."), Optional.empty())
          : new Proof(sentences, measured.helps());
    } catch (RunException failure) {
      return new Proof(List.of(String.valueOf(failure.getMessage())), Optional.empty());
    }
  }

  private static List<String> settings(Map<String, String> values) {
    return values.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).sorted().toList();
  }

  /** Writes an experiment like the cache that the diagnosis is of, or like any of the cluster. */
  private Path experiment(HealthReport report, Diagnosis found) {
    Catalogue catalogue = Home.catalogue();
    DriverDescription driver = examined.driver(examined.groups().get(0).settings());
    String text = LIKE.formatted(driver.name());
    Experiment like = ExperimentReader.read(text, "doctor", Path.of(""), catalogue);
    List<String> candidates =
        Stream.concat(
                found.evidence().stream().map(HealthReport.Evidence::where),
                report.caches().stream())
            .filter(report.caches()::contains)
            .distinct()
            .toList();
    for (String cache : candidates) {
      Optional<CacheSample> sample = sample(cache);
      if (sample.isPresent()) {
        text = SampledExperiment.of(sample.get(), cache, like, driver, RECORDS);
        break;
      }
    }
    String experiment = text;
    Path file = runs.resolve("doctor").resolve(found.check() + ".yaml");
    PageOutput.write(file, to -> Files.writeString(to, experiment));
    return file;
  }

  /** Empty for a cache without records, or with records that cannot be made again. */
  private Optional<CacheSample> sample(String cache) {
    try {
      return Optional.of(TestbedCheck.sample(examined, Home.distribution(), cache, LOOKED_AT));
    } catch (RunException notPossible) {
      return Optional.empty();
    }
  }
}
