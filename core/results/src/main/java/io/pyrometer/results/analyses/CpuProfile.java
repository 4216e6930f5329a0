package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.profile.StackCategories;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.FrameCategory;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.results.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The CPU time of a record of one treatment by role and category of work: sampled stacks, scaled to
 * the CPU time that the processes used in the same trial.
 *
 * @param trials of each, by role and category, µs per record
 * @param samples by role, on which the categories rest
 */
record CpuProfile(
    String label, List<Map<String, Map<String, Double>>> trials, Map<String, Long> samples) {
  static final String SERVERS = "servers";
  static final String CLIENTS = "clients";

  /** With fewer samples the CPU time of a treatment, or of a role of it, is not divided. */
  private static final int MIN_SAMPLES = 200;

  private static final int MIN_SAMPLES_OF_ROLE = 30;

  private static final double CONFIDENCE = 0.95;

  /** The means of the trials that have enough samples of a role to divide its time. */
  Map<String, Map<String, Double>> micros() {
    Map<String, Map<String, Double>> means = new TreeMap<>();
    for (String role : List.of(SERVERS, CLIENTS)) {
      List<Map<String, Double>> divided =
          trials.stream().flatMap(trial -> Optional.ofNullable(trial.get(role)).stream()).toList();
      for (Map<String, Double> parts : divided) {
        parts.forEach(
            (category, micros) ->
                means
                    .computeIfAbsent(role, r -> new TreeMap<>())
                    .merge(category, micros / divided.size(), Double::sum));
      }
    }
    return means;
  }

  /** A figure of the role's categories in each trial: its mean and interval over the trials. */
  Estimate over(String role, ToDoubleFunction<Map<String, Double>> figure) {
    return Means.arithmetic(
        trials.stream()
            .flatMap(trial -> Optional.ofNullable(trial.get(role)).stream())
            .mapToDouble(figure)
            .toArray(),
        "",
        CONFIDENCE);
  }

  /** Returns whether a role has too few samples to divide its time. */
  boolean hasFewSamples(String role) {
    return samples.getOrDefault(role, 0L) < MIN_SAMPLES_OF_ROLE;
  }

  /**
   * The parts of what compilers and collectors leave of a role's CPU time, from 0 to 1; empty where
   * the role has too few samples.
   */
  Map<String, Double> shares(String role) {
    Map<String, Double> shares = new TreeMap<>();
    if (!hasFewSamples(role)) {
      shares.putAll(micros().getOrDefault(role, Map.of()));
      shares.keySet().removeAll(List.of(StackCategories.JIT, StackCategories.GC));
      double sum = sum(shares);
      shares.replaceAll((category, micros) -> micros / sum);
      shares.values().removeIf(share -> !Double.isFinite(share));
    }
    return shares;
  }

  /** Some categories with their shares of the whole: {@code network threads 60 %, GC 20 %}. */
  static String words(Map<String, Double> parts, Stream<String> categories) {
    double whole = sum(parts);
    return categories
        .map(each -> "%s %.0f %%".formatted(each, 100 * parts.getOrDefault(each, 0.0) / whole))
        .collect(Collectors.joining(", "));
  }

  static double sum(Map<String, Double> parts) {
    return parts.values().stream().mapToDouble(v -> v).sum();
  }

  /** The trials with stacks, those that count and those that do not. */
  static Stream<TrialRecord> profiled(RunRecord run) {
    return Stream.concat(run.counting().stream(), run.profiles().stream())
        .filter(trial -> trial.outcome() == Outcome.OK)
        .filter(trial -> stacks(run, trial).findAny().isPresent());
  }

  private static Stream<Artefact> stacks(RunRecord run, TrialRecord trial) {
    return trial.artefacts().stream()
        .filter(artefact -> artefact.kind().equals("collapsed-stacks"))
        .filter(artefact -> artefact.file().endsWith("-cpu.collapsed"))
        .filter(artefact -> Files.isRegularFile(run.folder().file(artefact.file())));
  }

  /** The treatments with enough samples, in the order of their trials. */
  static List<CpuProfile> of(RunRecord run) {
    return profiled(run).collect(ListsByKey.by(TrialRecord::label)).entrySet().stream()
        .map(each -> profile(run, each.getKey(), each.getValue()))
        .filter(of -> of.samples().values().stream().mapToLong(n -> n).sum() >= MIN_SAMPLES)
        .toList();
  }

  private static CpuProfile profile(RunRecord run, String label, List<TrialRecord> trials) {
    DriverDescription driver = run.plan().driver(trials.get(0).settings());
    StackCategories categories =
        new StackCategories(driver.frameCategories().stream().map(FrameCategory::asEntry).toList());
    List<Map<String, Map<String, Double>>> micros = new ArrayList<>();
    Map<String, Long> samples = new TreeMap<>();
    for (TrialRecord trial : trials) {
      Map<String, Map<String, Double>> ofTrial = new TreeMap<>();
      for (String role : List.of(SERVERS, CLIENTS)) {
        Map<String, Long> counts = new TreeMap<>();
        stacks(run, trial)
            .filter(artefact -> artefact.process().startsWith("node") == role.equals(SERVERS))
            .forEach(
                artefact ->
                    count(run.folder().file(artefact.file()), categories)
                        .forEach((category, n) -> counts.merge(category, n, Long::sum)));
        samples.merge(role, counts.values().stream().mapToLong(n -> n).sum(), Long::sum);
        Map<String, Double> parts = parts(trial, demandOf(role), counts);
        if (!parts.isEmpty()) {
          ofTrial.put(role, parts);
        }
      }
      micros.add(ofTrial);
    }
    return new CpuProfile(label, micros, samples);
  }

  /** The beginning of the names of a role's metrics. */
  static String demandOf(String role) {
    return role.equals(SERVERS) ? Metric.DEMAND_OF_SERVERS : Metric.DEMAND_OF_CLIENTS;
  }

  private static Map<String, Long> count(Path file, StackCategories categories) {
    try (Stream<String> lines = Files.lines(file)) {
      return categories.count(lines);
    } catch (IOException failure) {
      throw new RunException(
          "The stacks in %s cannot be read (%s).".formatted(file, failure.getMessage()), failure);
    }
  }

  /** Divides what compilers and collectors leave of a role's CPU time as its samples are. */
  private static Map<String, Double> parts(
      TrialRecord trial, String role, Map<String, Long> counts) {
    Map<String, Double> parts = new TreeMap<>();
    double jit = trial.value(role + Metric.DEMAND_JIT).orElse(0.0);
    double gc = trial.value(role + "gc").orElse(0.0);
    double rest = trial.value(role + Metric.DEMAND_CPU).orElse(0.0) - jit - gc;
    double sampled =
        counts.entrySet().stream()
            .filter(c -> !c.getKey().equals(StackCategories.JIT))
            .filter(c -> !c.getKey().equals(StackCategories.GC))
            .mapToLong(Map.Entry::getValue)
            .sum();
    if (sampled == 0 || rest <= 0) {
      return parts;
    }
    counts.forEach((category, n) -> parts.put(category, rest * n / sampled));
    parts.put(StackCategories.JIT, jit);
    parts.put(StackCategories.GC, gc);
    return parts;
  }
}
