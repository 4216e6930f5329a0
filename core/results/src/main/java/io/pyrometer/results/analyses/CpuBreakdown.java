package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.profile.StackCategories;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.FrameCategory;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.StackedBarChart;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Recommendation;
import io.pyrometer.results.study.StudyResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the CPU time of a record goes: that of clients and servers by category of work, from
 * sampled stacks. The samples are scaled to the CPU time that the processes used in the same trial;
 * the time of JIT compilers and collectors is not sampled but read from the JVM.
 */
public final class CpuBreakdown implements Analysis {
  /** Of a treatment, and of one role of it. */
  private static final int MIN_SAMPLES = 50;

  private static final int MIN_SAMPLES_OF_ROLE = 30;

  /** From this ratio of CPU time on it is said what makes the difference. */
  private static final double WORTH_EXPLAINING = 1.5;

  /** Named are the categories that make up this share of a difference, at most three. */
  private static final double EXPLAINED = 0.8;

  private static final int MAX_NAMED = 3;
  private static final double MIN_SHARE = 0.03;
  private static final double CONFIDENCE = 0.95;

  @Override
  public String id() {
    return "cpu-breakdown";
  }

  @Override
  public boolean needsProfiles() {
    return true;
  }

  @Override
  public boolean always(RunRecord run) {
    return profiled(run).findAny().isPresent();
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    List<Profile> profiles = profiles(run);
    if (profiles.isEmpty()) {
      return List.of();
    }
    return List.of(
        RunAnalysis.whole(id(), "CPU time per record", "µs", () -> analyze(run, profiles)));
  }

  /**
   * The CPU time of a record of one treatment.
   *
   * @param job of its access path
   * @param trials of each, by role and category, µs per record
   * @param samples by role, on which the categories rest
   * @param sends system calls that write, per record
   */
  private record Profile(
      String job,
      String label,
      List<Map<String, Map<String, Double>>> trials,
      Map<String, Long> samples,
      double sends) {
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

    long sampled() {
      return samples.values().stream().mapToLong(Long::longValue).sum();
    }

    double total() {
      return sum(byCategory());
    }

    /** How many times its CPU time another's is, or the other way round; at least 1. */
    double ratio(Profile other) {
      return Math.max(total(), other.total()) / Math.min(total(), other.total());
    }

    /** The categories of all roles together. */
    Map<String, Double> byCategory() {
      Map<String, Double> sums = new TreeMap<>();
      micros().values().forEach(role -> role.forEach((c, us) -> sums.merge(c, us, Double::sum)));
      return sums;
    }
  }

  private static Stream<TrialRecord> profiled(RunRecord run) {
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

  private static List<Profile> profiles(RunRecord run) {
    Map<String, List<TrialRecord>> byTreatment = new LinkedHashMap<>();
    profiled(run)
        .forEach(t -> byTreatment.computeIfAbsent(t.label(), l -> new ArrayList<>()).add(t));
    List<Profile> profiles = new ArrayList<>();
    byTreatment.forEach(
        (label, trials) ->
            Optional.of(profile(run, label, trials))
                .filter(profile -> profile.sampled() >= MIN_SAMPLES)
                .ifPresent(profiles::add));
    return profiles;
  }

  private static Profile profile(RunRecord run, String label, List<TrialRecord> trials) {
    DriverDescription driver = run.plan().driver(trials.get(0).settings());
    StackCategories categories =
        new StackCategories(driver.frameCategories().stream().map(FrameCategory::asEntry).toList());
    TreatmentRow row = new TreatmentRow(label, trials, Optional.empty());
    List<Map<String, Map<String, Double>>> micros = new ArrayList<>();
    Map<String, Long> samples = new TreeMap<>();
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
        String name = servers ? "servers" : "clients";
        samples.merge(name, counts.values().stream().mapToLong(Long::longValue).sum(), Long::sum);
        String role = servers ? Metric.DEMAND_OF_SERVERS : Metric.DEMAND_OF_CLIENTS;
        Map<String, Double> parts = parts(trial, role, counts);
        if (!parts.isEmpty()) {
          ofTrial.put(name, parts);
        }
      }
      micros.add(ofTrial);
    }
    double sends =
        Stream.of(Metric.DEMAND_OF_SERVERS, Metric.DEMAND_OF_CLIENTS)
            .mapToDouble(role -> row.average(role + Metric.DEMAND_MESSAGES_OUT).orElse(0.0))
            .sum();
    return new Profile(trials.get(0).job().id(), label, micros, samples, sends);
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
    double jit = trial.value(role + "jit").orElse(0.0);
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

  private static StudyResult analyze(RunRecord run, List<Profile> profiles) {
    List<String> recommended = Recommendation.recommended(run);
    List<Finding> findings = new ArrayList<>();
    profiles.stream()
        .collect(Collectors.groupingBy(Profile::job, LinkedHashMap::new, Collectors.toList()))
        .values()
        .forEach(job -> difference(job, recommended).ifPresent(findings::add));
    return StudyResult.of(findings, section(profiles));
  }

  /**
   * What makes the difference between the recommended treatment of a job, or the cheapest where
   * none is recommended, and that whose CPU time differs most from it.
   *
   * @param recommended labels of treatments, those of other jobs among them
   */
  private static Optional<Finding> difference(List<Profile> job, List<String> recommended) {
    Profile one =
        recommended.stream()
            .flatMap(label -> job.stream().filter(profile -> profile.label().equals(label)))
            .findFirst()
            .or(() -> job.stream().min(Comparator.comparingDouble(Profile::total)))
            .orElseThrow();
    Profile other = job.stream().max(Comparator.comparingDouble(one::ratio)).orElseThrow();
    if (one.ratio(other) < WORTH_EXPLAINING) {
      return Optional.empty();
    }
    boolean cheaper = one.total() < other.total();
    Profile cheap = cheaper ? one : other;
    Profile dear = cheaper ? other : one;
    double saved = dear.total() - cheap.total();
    Map<String, Double> by = new TreeMap<>(dear.byCategory());
    cheap.byCategory().forEach((category, micros) -> by.merge(category, -micros, Double::sum));
    List<String> named = new ArrayList<>();
    double share = 0;
    for (Map.Entry<String, Double> part :
        by.entrySet().stream()
            .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
            .limit(MAX_NAMED)
            .toList()) {
      if (share < EXPLAINED && part.getValue() > 0) {
        share += part.getValue() / saved;
        named.add("%s %.0f %%".formatted(part.getKey(), 100 * part.getValue() / saved));
      }
    }
    return Optional.of(
        Finding.info(
            Finding.Kind.ESTIMATE,
            "A record costs %s of CPU time with %s and %s with %s. Of the difference: %s. It takes %s system calls that write instead of %s."
                .formatted(
                    Numbers.micros(one.total()),
                    one.label(),
                    Numbers.micros(other.total()),
                    other.label(),
                    String.join(", ", named),
                    Numbers.shorten(one.sends()),
                    Numbers.shorten(other.sends())),
            "Profiles of several blocks ('telemetry: profile'), other record or batch sizes, or a longer warm-up."));
  }

  /** The categories from 3 % on, the largest first. */
  private static String words(Profile of, String role, Map<String, Double> parts) {
    double total = sum(parts);
    return parts.entrySet().stream()
        .filter(part -> part.getValue() >= MIN_SHARE * total)
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .map(
            part -> {
              String name = part.getKey();
              Estimate share =
                  of.over(role, each -> 100 * each.getOrDefault(name, 0.0) / sum(each));
              return "%s %.0f %%%s"
                  .formatted(
                      name,
                      share.value(),
                      share.hasInterval()
                          ? " [%.0f, %.0f]"
                              .formatted(Math.max(0, share.low()), Math.min(100, share.high()))
                          : "");
            })
        .collect(Collectors.joining(", "));
  }

  private static double sum(Map<String, Double> parts) {
    return parts.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  private static Section section(List<Profile> profiles) {
    record Row(Profile of, String role, Map<String, Double> parts) {
      double total() {
        return sum(parts);
      }
    }
    List<Row> rows = new ArrayList<>();
    profiles.forEach(
        of -> of.micros().forEach((role, parts) -> rows.add(new Row(of, role, parts))));
    Map<String, Double> shares = new TreeMap<>();
    rows.forEach(
        row -> row.parts().forEach((c, us) -> shares.merge(c, us / row.total(), Double::sum)));
    List<String> categories =
        shares.entrySet().stream()
            .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
            .map(Map.Entry::getKey)
            .toList();
    MetricTable<Row> table =
        new MetricTable<Row>()
            .text("treatment", row -> row.of().label())
            .text("role", Row::role)
            .estimate("µs/record", row -> Optional.of(row.of().over(row.role(), CpuBreakdown::sum)))
            .text(
                "where",
                row ->
                    row.of().samples().getOrDefault(row.role(), 0L) < MIN_SAMPLES_OF_ROLE
                        ? "too few samples"
                        : words(row.of(), row.role(), row.parts()));
    List<StackedBarChart.Bar> bars =
        rows.stream()
            .map(
                row ->
                    new StackedBarChart.Bar(
                        row.of().label() + ", " + row.role(), row.parts(), row.total()))
            .toList();
    return Section.of(
        "cpu-breakdown",
        "Where the CPU time of a record goes",
        "Shares of the CPU time of each role, from stacks sampled every 10 ms of CPU time; a profiled trial runs after the measured ones, so that its overhead is not in their figures. A stack belongs to the innermost frame that a category knows. "
            + (profiles.stream().anyMatch(profile -> profile.trials().size() > 1)
                ? "Intervals of 95 % over the profiled blocks."
                : "One profiled trial of each treatment: no intervals."),
        Figure.of(
            "Shares of CPU time; hover for µs per record",
            StackedBarChart.of(categories, bars),
            table.of(rows)));
  }
}
