package io.pyrometer.protocol;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the checks of a driver found in a grid, or in a configuration file of its product.
 *
 * @param subject what was examined, such as "3 servers with 2 caches"
 * @param seconds for how long it was observed; 0 for a configuration file
 * @param servers how many there are; 1 for a configuration file
 * @param caches names of the caches of users
 * @param diagnoses what is wrong, or could be better
 * @param healthy names of the checks that were made and found nothing
 * @param notMade the checks that could not be made, by name, with the reason
 */
public record HealthReport(
    String subject,
    double seconds,
    int servers,
    List<String> caches,
    List<Diagnosis> diagnoses,
    List<String> healthy,
    Map<String, String> notMade) {
  public HealthReport {
    caches = List.copyOf(caches);
    diagnoses = List.copyOf(diagnoses);
    healthy = List.copyOf(healthy);
    notMade = Map.copyOf(notMade);
  }

  /** Without the checks that could not be made here, but were in others. */
  public HealthReport besides(List<HealthReport> others) {
    Map<String, String> left = new TreeMap<>(notMade);
    for (HealthReport other : others) {
      left.keySet().removeAll(other.healthy);
      other.diagnoses.forEach(found -> left.remove(found.check()));
    }
    return new HealthReport(subject, seconds, servers, caches, diagnoses, healthy, left);
  }

  /** How much a diagnosis matters. */
  public enum Severity {
    /** It costs speed or data now. */
    PROBLEM,
    /** It will cost speed or data once a server fails or the data grow. */
    RISK,
    /** A configuration or a use that usually costs more than another one. */
    ADVICE
  }

  /** What the action interrupts. */
  public enum Needs {
    NOTHING("no restart"),
    CLIENTS("a change of the clients"),
    /** Of the application's own classes, which servers execute. */
    DEPLOYMENT("a new version of your classes on the servers (and on clients that use them)"),
    CACHE("that the cache is created again"),
    SERVERS("a restart of the servers");

    private final String words;

    Needs(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  /**
   * A value that a diagnosis rests on.
   *
   * @param what a metric, or a property of the configuration
   * @param where a server or cache
   */
  public record Evidence(String what, String value, String where) {}

  /**
   * One diagnosis.
   *
   * @param check its name, such as {@code page-eviction}
   * @param symptom one sentence
   * @param impact what was measured of it, such as "14 % of the CPU time"; empty if nothing was
   * @param share the same as a share of 0 to 1; 0 if it was not measured
   * @param cause one sentence
   * @param action one sentence
   * @param change lines of a diff of the configuration, each beginning with "- " or "+ "
   * @param loses the guarantee that the action gives up
   * @param comparison settings with which an experiment measures the effect of the action: what is
   *     now, and what would be; both empty where no setting does
   * @param source address of the page that the check follows
   */
  public record Diagnosis(
      String check,
      Severity severity,
      String symptom,
      Optional<String> impact,
      double share,
      List<Evidence> evidence,
      String cause,
      String action,
      List<String> change,
      Needs needs,
      Optional<String> loses,
      Comparison comparison,
      String source) {
    /** From here on a measured share counts for more than a risk that has not shown itself. */
    private static final double LARGE_SHARE = 0.05;

    /** Problems, then what was measured to take a large share, then risks, then advice. */
    public static final Comparator<Diagnosis> MOST_URGENT =
        Comparator.<Diagnosis, Boolean>comparing(each -> each.severity != Severity.PROBLEM)
            .thenComparing(each -> each.share < LARGE_SHARE)
            .thenComparing(Diagnosis::severity)
            .thenComparing(Comparator.comparingDouble(Diagnosis::share).reversed());

    public Diagnosis {
      evidence = List.copyOf(evidence);
      change = List.copyOf(change);
    }
  }

  /** Settings of an experiment, by name, before and after a change. */
  public record Comparison(Map<String, String> now, Map<String, String> changed) {
    public static final Comparison NONE = new Comparison(Map.of(), Map.of());

    public Comparison {
      now = Map.copyOf(now);
      changed = Map.copyOf(changed);
    }
  }
}
