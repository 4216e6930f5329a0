package io.pyrometer.experiment.model;

import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * An analysis that experiments can name under {@code analyses}. Implementations, or a {@link
 * Source} of several, are found by {@link ServiceLoader}; those that read a run implement {@code
 * io.pyrometer.results.analyses.Analysis}.
 */
public interface AnalysisDeclaration {
  /** The ranking of the treatments, which is part of every report and needs no implementation. */
  String RANKING = "ranking";

  /** The measured part of a profiled trial in seconds, unless that of the experiment is shorter. */
  double PROFILE_SECONDS = 1.5;

  /** The name in experiment files, in lower case with hyphens. */
  String id();

  /**
   * Checks whether the treatments of an experiment can be analysed, when its file is read.
   *
   * @return a sentence that says what is missing and what to do; empty if nothing is
   */
  default Optional<String> unmet(List<PlannedTreatment> treatments) {
    return Optional.empty();
  }

  /**
   * A treatment before it is measured.
   *
   * @param levels a level's label by factor
   * @param settings the settings that the file gives; all others have their initial values
   * @param job of its access path; empty where the path is unknown
   */
  record PlannedTreatment(Map<String, String> levels, Settings settings, Optional<Job> job) {

    /** The sentence, unless some treatment satisfies the condition. */
    public static Optional<String> require(
        List<PlannedTreatment> treatments, Predicate<PlannedTreatment> which, String sentence) {
      return treatments.stream().anyMatch(which) ? Optional.empty() : Optional.of(sentence);
    }
  }

  /**
   * Checks whether every treatment must run once more, under a profiler, after the measured trials.
   */
  default boolean needsProfiles() {
    return false;
  }

  /** Checks whether the driver's checks must examine the grid after the measured trials. */
  default boolean needsExamination() {
    return false;
  }

  /** Checks whether one of these analyses needs something, as {@link #needsProfiles}. */
  static boolean need(List<String> analyses, Predicate<AnalysisDeclaration> something) {
    return all().stream().anyMatch(a -> analyses.contains(a.id()) && something.test(a));
  }

  /** Several analyses as one service. */
  interface Source {
    List<? extends AnalysisDeclaration> analyses();
  }

  /** Every analysis on the class path, in the order of the ids. */
  static List<AnalysisDeclaration> all() {
    return Stream.<AnalysisDeclaration>concat(
            ServiceLoader.load(AnalysisDeclaration.class).stream().map(ServiceLoader.Provider::get),
            ServiceLoader.load(Source.class).stream()
                .flatMap(source -> source.get().analyses().stream()))
        .sorted(Comparator.comparing(AnalysisDeclaration::id))
        .toList();
  }

  /** The analysis of that name, if it is on the class path. */
  static Optional<AnalysisDeclaration> find(String id) {
    return all().stream().filter(each -> each.id().equals(id)).findFirst();
  }

  /** The names that experiment files can use: the ranking, then all others. */
  static List<String> ids() {
    return Stream.concat(Stream.of(RANKING), all().stream().map(AnalysisDeclaration::id)).toList();
  }
}
