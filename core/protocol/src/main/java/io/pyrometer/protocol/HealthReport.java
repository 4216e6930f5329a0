package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.protocol.message.Value;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Diagnoses of a grid, or of a configuration file of its product.
 *
 * @param subject the examined thing, such as "3 servers with 2 caches"
 * @param seconds length of the observation; 0 for a configuration file
 * @param servers their number; 1 for a configuration file
 * @param caches names of the caches of users
 * @param healthy names of the checks that judged and found nothing
 * @param unjudged the checks that could not judge, by name, with the reason
 * @param tables figures beside the diagnoses; empty for most reports
 */
public record HealthReport(
    String subject,
    double seconds,
    int servers,
    List<String> caches,
    List<Diagnosis> diagnoses,
    List<String> healthy,
    Map<String, Unjudged> unjudged,
    List<Figures> tables) {
  /** The report with tables and further reasons why something was not judged, by name. */
  public HealthReport with(List<Figures> figures, Map<String, Unjudged> reasons) {
    Map<String, Unjudged> all = new TreeMap<>(unjudged);
    all.putAll(reasons);
    return new HealthReport(subject, seconds, servers, caches, diagnoses, healthy, all, figures);
  }

  /** Without the checks that could not judge here, but could in others. */
  public HealthReport besides(List<HealthReport> others) {
    Map<String, Unjudged> left = new TreeMap<>(unjudged);
    for (HealthReport other : others) {
      left.keySet().removeAll(other.healthy);
      other.diagnoses.forEach(found -> left.remove(found.check()));
    }
    return new HealthReport(subject, seconds, servers, caches, diagnoses, healthy, left, tables);
  }

  /**
   * A table whose first rows matter most.
   *
   * @param columns their headings
   * @param rows a value for each column
   */
  public record Figures(List<String> columns, List<List<Value>> rows) {}

  /** Weight of a diagnosis. */
  public enum Severity {
    /** The machine has no CPU to give: nothing is wrong with the cluster, but it is not judged. */
    BUSY,
    /** A part of the cluster does not take part, so that other measurements do not count yet. */
    FAILURE,
    /** It costs speed or data now. */
    PROBLEM,
    /** It will cost speed or data once a server fails or the data grow. */
    RISK,
    /** A configuration or a use that usually costs more than another one. */
    ADVICE
  }

  /** Interruption by an action. Its words are in the message file, as {@code needs.cache}. */
  public enum Needs {
    NOTHING,
    CLIENTS,
    /** The classes of the application that servers execute. */
    DEPLOYMENT,
    CACHE,
    SERVERS;

    /** The words, such as "a restart of the servers". */
    public String phrase() {
      String name = name().toLowerCase(Locale.ROOT);
      return Messages.bundled().template("needs." + name + ".phrase").orElse(name);
    }
  }

  /**
   * A value that a diagnosis rests on.
   *
   * @param what a metric, or a property of the configuration
   * @param where a server or cache
   */
  public record Evidence(String what, String value, String where) {}

  /** A property of the product's configuration, or a setting of an experiment, before and after. */
  public record Change(String property, String now, String then) {}

  /**
   * A reason why a check could not judge. Its words are in the message file, as {@code
   * unjudged.statistics.phrase} and {@code unjudged.statistics.remedy}.
   */
  public record Unjudged(String reason, Map<String, Value> values) {
    private Optional<String> text(String part) {
      return Messages.bundled().text("unjudged." + reason + part, values);
    }

    /** The reason as people read it, after "not judged". */
    @JsonProperty
    public String phrase() {
      return text(".phrase").orElse(reason);
    }

    /** The action with which the check can judge. */
    @JsonProperty
    public Optional<String> remedy() {
      return text(".remedy");
    }
  }

  /**
   * One diagnosis. Its words are in a message file under its id, by which programs refer to it.
   *
   * @param id {@code doctor.CHECK}, or {@code doctor.CHECK.VARIANT}
   * @param values by name, as the templates of its message name them
   * @param share the measured cost as a share of 0 to 1; 0 if it was not measured
   * @param comparison settings with which an experiment measures the effect of the action: what is
   *     now, and what would be; both empty where no setting does
   * @param source address of the page that the check follows
   * @param explainedBy the id of the diagnosis that is the cause of this one; empty for most
   */
  public record Diagnosis(
      String id,
      Severity severity,
      Map<String, Value> values,
      double share,
      List<Evidence> evidence,
      List<Change> change,
      Needs needs,
      Comparison comparison,
      String source,
      Optional<String> explainedBy) {
    private static final String DOCTOR = "doctor.";

    /** From here on a measured share counts for more than a risk that has not shown itself. */
    private static final double LARGE_SHARE = 0.05;

    /**
     * A busy machine, failures, problems, then what was measured to take a large share, then risks,
     * then advice.
     */
    public static final Comparator<Diagnosis> MOST_URGENT =
        Comparator.<Diagnosis, Severity>comparing(
                each -> each.isProblem() ? each.severity : Severity.RISK)
            .thenComparing(each -> each.share < LARGE_SHARE)
            .thenComparing(Diagnosis::severity)
            .thenComparing(Comparator.comparingDouble(Diagnosis::share).reversed());

    /** The id of a check's diagnosis. */
    public static String id(String check, String... variant) {
      return DOCTOR + check + (variant.length == 0 ? "" : "." + String.join(".", variant));
    }

    /** The name of the check, such as {@code page-eviction}. */
    @JsonProperty
    public String check() {
      return id.substring(DOCTOR.length()).replaceFirst("\\..*", "");
    }

    /** Returns whether it costs speed or data now. */
    public boolean costsNow() {
      return isProblem() ? severity != Severity.BUSY : severity == Severity.RISK && share > 0;
    }

    private boolean isProblem() {
      return severity.compareTo(Severity.RISK) < 0;
    }

    /** Variant as the consequence of another diagnosis. */
    public Diagnosis because(String other) {
      return new Diagnosis(
          id,
          severity,
          values,
          share,
          evidence,
          change,
          needs,
          comparison,
          source,
          Optional.of(other));
    }

    /** The sentence that people read; the id where the driver's message file is not here. */
    @JsonProperty
    public String sentence() {
      return text("").orElse(id + " " + values);
    }

    @JsonProperty
    public Optional<String> cause() {
      return text(".cause");
    }

    @JsonProperty
    public Optional<String> remedy() {
      return text(".remedy");
    }

    /** The guarantee that the action gives up. */
    @JsonProperty
    public Optional<String> loses() {
      return text(".loses");
    }

    private Optional<String> text(String part) {
      return Messages.bundled().text(id + part, values);
    }
  }

  /** Settings of an experiment, by name, before and after a change. */
  public record Comparison(Map<String, String> now, Map<String, String> changed) {
    public static final Comparison NONE = new Comparison(Map.of(), Map.of());
  }
}
