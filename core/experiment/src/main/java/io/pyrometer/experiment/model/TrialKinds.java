package io.pyrometer.experiment.model;

import io.pyrometer.protocol.Job;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The kinds of trials that plugins add. */
public final class TrialKinds {
  private static final List<TrialKind> ALL =
      ServiceLoader.load(TrialKind.class).stream()
          .map(ServiceLoader.Provider::get)
          .sorted(Comparator.comparing(TrialKind::key))
          .toList();

  private TrialKinds() {}

  public static List<TrialKind> all() {
    return ALL;
  }

  /** The kind of a job; empty for the jobs of load trials. */
  public static Optional<TrialKind> of(Job job) {
    return ALL.stream().filter(kind -> kind.job() == job).findFirst();
  }

  /** The kind that a key of experiment files belongs to. */
  public static Optional<TrialKind> ofKey(String key) {
    return ALL.stream().filter(kind -> kind.key().equals(key)).findFirst();
  }
}
