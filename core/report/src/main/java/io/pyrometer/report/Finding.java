package io.pyrometer.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.protocol.message.Value;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A conclusion as data. Its words stand under its id in the message file of a module.
 *
 * @param id stable and dotted, such as {@code ranking.best}
 * @param severity how much it should worry the reader
 * @param values by name, as the templates of its message name them
 * @param estimates label to estimate, in the order to be shown; a template may name one
 */
@JsonPropertyOrder({"id", "severity", "values", "estimates", "sentence", "remedy"})
public record Finding(
    String id, Severity severity, Map<String, Value> values, Map<String, Estimate> estimates) {
  /** The value that names what part of a run a finding is of. */
  private static final String PART = "part";

  /** How much a finding should worry its reader. */
  public enum Severity {
    /** Good or neutral. */
    INFO,
    /** To be known before the figures are used. */
    NOTICE,
    /** The figures cannot be used as they are, or a regression was found. */
    WARNING
  }

  /** Copies the maps, keeping their order. */
  public Finding {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    estimates = Collections.unmodifiableMap(new LinkedHashMap<>(estimates));
  }

  /** A good or neutral finding, without values. */
  public static Finding info(String id) {
    return new Finding(id, Severity.INFO, Map.of(), Map.of());
  }

  /** A finding to be known before the figures are used, without values. */
  public static Finding notice(String id) {
    return new Finding(id, Severity.NOTICE, Map.of(), Map.of());
  }

  /** A finding that makes figures unusable, or a regression, without values. */
  public static Finding warning(String id) {
    return new Finding(id, Severity.WARNING, Map.of(), Map.of());
  }

  /** The finding with a further value. */
  public Finding with(String name, Value value) {
    Map<String, Value> more = new LinkedHashMap<>(values);
    more.put(name, value);
    return new Finding(id, severity, more, estimates);
  }

  /** The finding with a further name. */
  public Finding with(String name, String text) {
    return with(name, Value.name(text));
  }

  /** The finding with a further count. */
  public Finding with(String name, long count) {
    return with(name, Value.count(count));
  }

  /** The finding with a further list of names. */
  public Finding with(String name, Collection<String> names) {
    return with(name, Value.names(names));
  }

  /** The finding with a further list of names; empty if there are none. */
  public Optional<Finding> naming(String name, Collection<String> names) {
    return names.isEmpty() ? Optional.empty() : Optional.of(with(name, names));
  }

  /** The finding with a further value, where there is one. */
  public Finding with(String name, Optional<Value> value) {
    return value.map(present -> with(name, present)).orElse(this);
  }

  /** The finding with a further estimate. */
  public Finding with(String name, Estimate estimate) {
    return with(Map.of(name, estimate));
  }

  /** The finding with further estimates, in their order. */
  public Finding with(Map<String, Estimate> further) {
    Map<String, Estimate> more = new LinkedHashMap<>(estimates);
    more.putAll(further);
    return new Finding(id, severity, values, more);
  }

  /** The finding of a part of a run, such as one access path; its sentence begins with the part. */
  public Finding under(String part) {
    return with(PART, Value.name(part));
  }

  /** The first segment of the id, such as {@code validity}. */
  public String category() {
    return id.substring(0, id.indexOf('.'));
  }

  /** The sentence that people read. */
  @JsonProperty
  public String sentence() {
    String sentence =
        words("").orElseThrow(() -> new IllegalArgumentException("No message has the id " + id));
    return Optional.ofNullable(values.get(PART))
        .map(part -> part.text() + ": " + afterColon(sentence))
        .orElse(sentence);
  }

  /** The action that would settle or overturn the finding; empty where there is none. */
  @JsonProperty
  public Optional<String> remedy() {
    return words(".remedy");
  }

  private Optional<String> words(String part) {
    Map<String, Value> all = new LinkedHashMap<>();
    estimates.forEach((name, estimate) -> all.put(name, Value.name(text(estimate))));
    all.putAll(values);
    return Messages.bundled().text(id + part, all);
  }

  /** {@code 226 k [210 k, 243 k] records/s}; of a pure number {@code 2.1× [1.9×, 2.3×]}. */
  public static String text(Estimate estimate) {
    String unit = estimate.unit();
    return unit.isEmpty() ? Numbers.ratio(estimate) : Numbers.estimateWithUnit(estimate);
  }

  /** A sentence or title as it continues after a colon; a first word in capitals stays. */
  public static String afterColon(String text) {
    boolean word = text.length() > 1 && !Character.isUpperCase(text.charAt(1));
    return word ? Character.toLowerCase(text.charAt(0)) + text.substring(1) : text;
  }
}
