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
import io.pyrometer.results.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The CPU time of a record of one treatment by role and category of work: sampled stacks, scaled to
 * the CPU time that the processes used in the same trial.
 *
 * @param trials of each, by role and category, µs per record
 * @param samples by role, on which the categories rest
 * @param overhead by role, the CPU time of a record against that in trials without a profiler
 */
record CpuProfile(
    String label,
    List<Map<String, Map<String, Double>>> trials,
    Map<String, Long> samples,
    Map<String, Double> overhead) {
  static final String SERVERS = "servers";
  static final String CLIENTS = "clients";

  /** With fewer samples the CPU time of a role is not divided. */
  private static final int MIN_SAMPLES = 200;

  private static final double CONFIDENCE = 0.95;

  /** The means of the trials. */
  Map<String, Map<String, Double>> micros() {
    Map<String, Map<String, Double>> means = new TreeMap<>();
    trials.forEach(
        trial ->
            trial.forEach(
                (role, parts) ->
                    parts.forEach(
                        (category, micros) ->
                            means
                                .computeIfAbsent(role, r -> new TreeMap<>())
                                .merge(category, micros / divided(role), Double::sum))));
    return means;
  }

  /** How many trials have enough samples of a role to divide its time. */
  private long divided(String role) {
    return trials.stream().filter(trial -> trial.containsKey(role)).count();
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

  /** Whether a role has too few samples to divide its time. */
  boolean hasFewSamples(String role) {
    return samples.getOrDefault(role, 0L) < MIN_SAMPLES;
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

  static double sum(Map<String, Double> parts) {
    return parts.values().stream().mapToDouble(Double::doubleValue).sum();
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
    Map<String, List<TrialRecord>> byTreatment = new LinkedHashMap<>();
    profiled(run)
        .forEach(t -> byTreatment.computeIfAbsent(t.label(), l -> new ArrayList<>()).add(t));
    List<CpuProfile> profiles = new ArrayList<>();
    byTreatment.forEach(
        (label, trials) ->
            Optional.of(profile(run, label, trials))
                .filter(of -> Stream.of(SERVERS, CLIENTS).anyMatch(r -> !of.hasFewSamples(r)))
                .ifPresent(profiles::add));
    return profiles;
  }

  private static CpuProfile profile(RunRecord run, String label, List<TrialRecord> trials) {
    DriverDescription driver = run.plan().driver(trials.get(0).settings());
    StackCategories categories =
        new StackCategories(driver.frameCategories().stream().map(FrameCategory::asEntry).toList());
    List<Map<String, Map<String, Double>>> micros = new ArrayList<>();
    Map<String, Long> samples = new TreeMap<>();
    Map<String, Double> overhead = new TreeMap<>();
    for (boolean servers : new boolean[] {true, false}) {
      String role = servers ? SERVERS : CLIENTS;
      String cpu =
          (servers ? Metric.DEMAND_OF_SERVERS : Metric.DEMAND_OF_CLIENTS) + Metric.DEMAND_CPU;
      List<TrialRecord> others =
          run.counting().stream()
              .filter(t -> t.label().equals(label) && t.outcome() == Outcome.OK)
              .filter(t -> !trials.contains(t))
              .toList();
      ratio(trials, cpu, others, cpu).ifPresent(times -> overhead.put(role, times));
    }
    for (TrialRecord trial : trials) {
      Map<String, Map<String, Double>> ofTrial = new TreeMap<>();
      for (boolean servers : new boolean[] {true, false}) {
        Map<String, Long> counts = new TreeMap<>();
        stacks(run, trial)
            .filter(artefact -> artefact.process().startsWith("node") == servers)
            .forEach(
                artefact ->
                    count(run.folder().file(artefact.file()), categories)
                        .forEach((category, n) -> counts.merge(category, n, Long::sum)));
        String name = servers ? SERVERS : CLIENTS;
        samples.merge(name, counts.values().stream().mapToLong(Long::longValue).sum(), Long::sum);
        String role = servers ? Metric.DEMAND_OF_SERVERS : Metric.DEMAND_OF_CLIENTS;
        Map<String, Double> parts = parts(trial, role, counts);
        if (!parts.isEmpty()) {
          ofTrial.put(name, parts);
        }
      }
      micros.add(ofTrial);
    }
    return new CpuProfile(label, micros, samples, overhead);
  }

  /** Of the means of two metrics; empty where no trial has one of them. */
  private static OptionalDouble ratio(
      List<TrialRecord> of, String metric, List<TrialRecord> to, String other) {
    OptionalDouble mean = mean(of, metric);
    OptionalDouble by = mean(to, other);
    return mean.isPresent() && by.orElse(0) > 0
        ? OptionalDouble.of(mean.getAsDouble() / by.getAsDouble())
        : OptionalDouble.empty();
  }

  private static OptionalDouble mean(List<TrialRecord> trials, String metric) {
    return trials.stream().flatMap(t -> t.value(metric).stream()).mapToDouble(v -> v).average();
  }

  private static Map<String, Long> count(Path file, StackCategories categories) {
    try (Stream<String> lines = Files.lines(file)) {
      return categories.count(lines);
    } catch (IOException failure) {
      throw new RunException(
          "The stacks in %s cannot be read (%s).".formatted(file, failure.getMessage()), failure);
    }
  }

  /** What compilers and collectors leave of a role's CPU time is divided as its samples are. */
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
