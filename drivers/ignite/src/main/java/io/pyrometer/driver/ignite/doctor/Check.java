package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.HealthReport.Comparison;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Evidence;
import io.pyrometer.protocol.HealthReport.Needs;
import io.pyrometer.protocol.HealthReport.Severity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * One check.
 *
 * @param name what users call it, unique
 * @param source the page of Ignite's documentation that it follows
 * @param live whether it looks at a running cluster, and a file has nothing for it
 * @param body looks at the facts and adds what is wrong
 */
record Check(String name, String source, boolean live, BiConsumer<Facts, Result> body) {
  private static final String DOCS = "https://ignite.apache.org/docs/latest/";
  static final String GENERAL = DOCS + "perf-and-troubleshooting/general-perf-tips";
  static final String MEMORY = DOCS + "perf-and-troubleshooting/memory-tuning";
  static final String PERSISTENCE = DOCS + "perf-and-troubleshooting/persistence-tuning";
  static final String SQL = DOCS + "perf-and-troubleshooting/sql-tuning";
  static final String POOLS = DOCS + "perf-and-troubleshooting/thread-pools-tuning";
  static final String METRICS = DOCS + "monitoring-metrics/new-metrics";
  static final String VIEWS = DOCS + "monitoring-metrics/system-views";
  static final String STREAMING = DOCS + "data-streaming";
  static final String BINARY = DOCS + "key-value-api/binary-objects";
  static final String TROUBLESHOOTING = DOCS + "perf-and-troubleshooting/troubleshooting";

  static Check ofCluster(String name, String source, BiConsumer<Facts, Result> body) {
    return new Check(name, source, true, body);
  }

  static Check ofConfiguration(String name, String source, BiConsumer<Facts, Result> body) {
    return new Check(name, source, false, body);
  }

  Result make(Facts facts) {
    Result result = new Result(this);
    if (live && !facts.live()) {
      result.notMade("needs a running cluster");
    } else {
      try {
        body.accept(facts, result);
      } catch (RuntimeException | LinkageError failure) {
        result.notMade("failed: " + GridException.cause(failure));
      }
    }
    return result;
  }

  /** What a check found. */
  static final class Result {
    private final Check check;
    private final List<Draft> drafts = new ArrayList<>();
    private Optional<String> notMade = Optional.empty();

    private Result(Check check) {
      this.check = check;
    }

    /** Says why the check could not be made: half a sentence. */
    void notMade(String why) {
      notMade = Optional.of(why);
    }

    Optional<String> notMade() {
      return drafts.isEmpty() ? notMade : Optional.empty();
    }

    /** The same action for several servers or caches is one diagnosis: the one that weighs most. */
    List<Diagnosis> diagnoses() {
      return drafts.stream()
          .collect(
              Collectors.groupingBy(
                  draft -> List.of(draft.severity, draft.action, draft.change),
                  LinkedHashMap::new,
                  Collectors.toList()))
          .values()
          .stream()
          .map(Result::weightiest)
          .map(draft -> draft.diagnosis(check))
          .toList();
    }

    private static Draft weightiest(List<Draft> same) {
      Draft most = Collections.max(same, Comparator.comparingDouble(draft -> draft.share));
      String others =
          same.stream()
              .filter(draft -> draft != most)
              .map(draft -> draft.evidence.get(0).where())
              .distinct()
              .collect(Collectors.joining(", "));
      if (!others.isEmpty()) {
        most.symptom += " The same is true of " + others + ".";
      }
      return most;
    }

    Draft problem(String symptom, Object... values) {
      return draft(Severity.PROBLEM, symptom, values);
    }

    Draft risk(String symptom, Object... values) {
      return draft(Severity.RISK, symptom, values);
    }

    Draft advice(String symptom, Object... values) {
      return draft(Severity.ADVICE, symptom, values);
    }

    private Draft draft(Severity severity, String symptom, Object... values) {
      Draft draft = new Draft(severity, text(symptom, values));
      drafts.add(draft);
      return draft;
    }
  }

  static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** A diagnosis that is being written. */
  static final class Draft {
    private final Severity severity;
    private String symptom;
    private final List<Evidence> evidence = new ArrayList<>();
    private final List<String> change = new ArrayList<>();
    private Optional<String> impact = Optional.empty();
    private double share;
    private String cause = "";
    private String action = "";
    private Needs needs = Needs.NOTHING;
    private Optional<String> loses = Optional.empty();
    private Comparison comparison = Comparison.NONE;

    private Draft(Severity severity, String symptom) {
      this.severity = severity;
      this.symptom = symptom;
    }

    Draft evidence(String what, Object value, String where) {
      evidence.add(
          new Evidence(what, value instanceof Double number ? number(number) : "" + value, where));
      return this;
    }

    private static String number(double value) {
      return value == Math.rint(value) || Math.abs(value) >= 100
          ? text("%,.0f", value)
          : text("%.3g", value);
    }

    /** What was measured, and its share of 0 to 1. */
    Draft impact(double measured, String text, Object... values) {
      share = Math.max(0, Math.min(1, measured));
      impact = Optional.of(text(text, values));
      return this;
    }

    Draft cause(String sentence) {
      cause = sentence;
      return this;
    }

    Draft action(Needs interrupts, String sentence, Object... values) {
      needs = interrupts;
      action = text(sentence, values);
      return this;
    }

    /** A property of a bean, before and after. */
    Draft change(String property, Object now, Object then) {
      change.add(text("- <property name=\"%s\" value=\"%s\"/>", property, now));
      change.add(text("+ <property name=\"%s\" value=\"%s\"/>", property, then));
      return this;
    }

    Draft loses(String guarantee) {
      loses = Optional.of(guarantee);
      return this;
    }

    /**
     * A setting of experiments, before and after.
     *
     * @param others names and values of settings that the experiment needs as well
     */
    Draft comparison(String setting, Object now, Object then, String... others) {
      Map<String, String> before = new HashMap<>(Map.of(setting, "" + now));
      Map<String, String> after = new HashMap<>(Map.of(setting, "" + then));
      for (int i = 0; i < others.length; i += 2) {
        before.put(others[i], others[i + 1]);
        after.put(others[i], others[i + 1]);
      }
      comparison = new Comparison(before, after);
      return this;
    }

    private Diagnosis diagnosis(Check check) {
      return new Diagnosis(
          check.name,
          severity,
          symptom,
          impact,
          share,
          evidence,
          cause,
          action,
          change,
          needs,
          loses,
          comparison,
          check.source);
    }
  }
}
