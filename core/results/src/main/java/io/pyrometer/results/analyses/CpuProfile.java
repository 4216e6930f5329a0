package io.pyrometer.results.analyses;

import io.pyrometer.analysis.profile.StackCategories;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.FrameCategory;
import io.pyrometer.results.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sampled stacks of one treatment by role and category of work.
 *
 * @param row the trials that were profiled, those that count and those that do not
 * @param samples by role, then by category
 */
record CpuProfile(TreatmentRow row, Map<String, Map<String, Long>> samples) {
  static final String SERVERS = "servers";
  static final String CLIENTS = "clients";
  static final List<String> ROLES = List.of(SERVERS, CLIENTS);

  /** With fewer samples the CPU time of a treatment, or of a role of it, is not divided. */
  private static final int MIN_SAMPLES = 200;

  private static final int MIN_SAMPLES_OF_ROLE = 30;

  /** Categories whose CPU time the JVM reports. */
  private static final Set<String> OF_JVM = Set.of(StackCategories.JIT, StackCategories.GC);

  String label() {
    return row.label();
  }

  /** The number of a role's samples. */
  long count(String role) {
    return samples.getOrDefault(role, Map.of()).values().stream().mapToLong(n -> n).sum();
  }

  /**
   * The parts of what compilers and collectors leave of a role's CPU time, from 0 to 1; empty where
   * the role has too few samples.
   */
  Map<String, Double> shares(String role) {
    Map<String, Long> work = new TreeMap<>(samples.getOrDefault(role, Map.of()));
    work.keySet().removeAll(OF_JVM);
    double sum = work.values().stream().mapToLong(n -> n).sum();
    Map<String, Double> shares = new TreeMap<>();
    if (count(role) >= MIN_SAMPLES_OF_ROLE) {
      work.forEach((category, n) -> shares.put(category, n / sum));
    }
    return shares;
  }

  /**
   * The CPU time of a role for one record by category, µs; its sum is all of it.
   *
   * @param shares of what compilers and collectors leave; the kernel's is known without
   */
  static Map<String, Double> parts(TreatmentRow row, String role, Map<String, Double> shares) {
    Map<String, Double> parts = new TreeMap<>();
    String metric = demandOf(role);
    double cpu = row.average(metric + Metric.DEMAND_CPU).orElse(0.0);
    if (cpu > 0) {
      double jit = Math.min(cpu, row.average(metric + Metric.DEMAND_JIT).orElse(0.0));
      double gc = Math.min(cpu - jit, row.average(metric + "gc").orElse(0.0));
      double rest = cpu - jit - gc;
      shares.forEach((category, share) -> parts.put(category, rest * share));
      if (shares.isEmpty()) {
        double kernel = Math.min(rest, row.average(metric + "system").orElse(0.0));
        parts.put("kernel", kernel);
        parts.put(StackCategories.OTHER, rest - kernel);
      }
      parts.put(StackCategories.JIT, jit);
      parts.put(StackCategories.GC, gc);
    }
    return parts;
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

  /** The beginning of the names of a role's metrics. */
  static String demandOf(String role) {
    return role.equals(SERVERS) ? Metric.DEMAND_OF_SERVERS : Metric.DEMAND_OF_CLIENTS;
  }

  private static Stream<Artefact> stacks(RunRecord run, TrialRecord trial) {
    return trial.artefacts().stream()
        .filter(artefact -> artefact.kind().equals("collapsed-stacks"))
        .filter(artefact -> artefact.file().endsWith("-cpu.collapsed"))
        .filter(artefact -> Files.isRegularFile(run.folder().file(artefact.file())));
  }

  /** The treatments with enough samples, in the order of their trials. */
  static List<CpuProfile> of(RunRecord run) {
    List<TrialRecord> profiled =
        Stream.concat(run.counting().stream(), run.folder().profiles().stream())
            .filter(TrialRecord::valid)
            .filter(trial -> stacks(run, trial).findAny().isPresent())
            .toList();
    return TreatmentRow.of(profiled, TrialRecord::label, List.of()).stream()
        .map(row -> new CpuProfile(row, samples(run, row)))
        .filter(of -> ROLES.stream().mapToLong(of::count).sum() >= MIN_SAMPLES)
        .toList();
  }

  private static Map<String, Map<String, Long>> samples(RunRecord run, TreatmentRow row) {
    DriverDescription driver = run.plan().driver(row.trial().settings());
    StackCategories categories =
        new StackCategories(driver.frameCategories().stream().map(FrameCategory::asEntry).toList());
    Map<String, Map<String, Long>> samples = new TreeMap<>();
    for (TrialRecord trial : row.trials()) {
      for (Artefact artefact : stacks(run, trial).toList()) {
        String role = artefact.process().startsWith("node") ? SERVERS : CLIENTS;
        Map<String, Long> counts = samples.computeIfAbsent(role, r -> new TreeMap<>());
        try (Stream<String> lines = Files.lines(run.folder().file(artefact.file()))) {
          categories.count(lines).forEach((category, n) -> counts.merge(category, n, Long::sum));
        } catch (IOException failure) {
          throw new RunException(
              "The stacks in %s cannot be read (%s)."
                  .formatted(artefact.file(), failure.getMessage()),
              failure);
        }
      }
    }
    samples.values().removeIf(Map::isEmpty);
    return samples;
  }
}
