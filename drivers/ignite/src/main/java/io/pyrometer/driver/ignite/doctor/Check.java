package io.pyrometer.driver.ignite.doctor;

import com.fasterxml.jackson.core.type.TypeReference;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.node.Resource;
import io.pyrometer.protocol.HealthReport.Change;
import io.pyrometer.protocol.HealthReport.Comparison;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Evidence;
import io.pyrometer.protocol.HealthReport.Needs;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.HealthReport.Unjudged;
import io.pyrometer.protocol.message.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.DataRegionConfiguration;

/**
 * One check.
 *
 * @param name unique; the id of its diagnosis is {@code doctor.NAME}
 * @param source the page of Ignite's documentation that it follows
 * @param live whether it needs a running cluster
 * @param body looks at the facts and adds what is wrong
 */
record Check(String name, String source, boolean live, BiConsumer<Facts, Result> body) {
  private static final String DOCS = "https://ignite.apache.org/docs/latest/";
  private static final Map<String, Declared> DECLARED =
      Resource.read(Check.class, "checks.json", new TypeReference<>() {});

  /**
   * An entry of {@code checks.json}: a check, and what is the same for all diagnoses of an id.
   *
   * @param page of Ignite's documentation; empty for the variant of a diagnosis
   * @param severity empty where it depends on what was found
   * @param explainedBy names of checks whose diagnosis explains it
   */
  private record Declared(
      Optional<String> page,
      boolean live,
      Optional<Severity> severity,
      Optional<Needs> needs,
      Optional<List<Change>> change,
      Optional<Comparison> comparison,
      Optional<List<String>> explainedBy) {}

  private static Declared declared(String id) {
    return Objects.requireNonNull(DECLARED.get(id), id);
  }

  /** The names of checks whose diagnoses explain that of an id. */
  static List<String> explaining(String id) {
    return declared(id.substring(Diagnosis.id("").length())).explainedBy.orElse(List.of());
  }

  /** The declared check of this name. */
  static Check of(String name, BiConsumer<Facts, Result> body) {
    Declared own = declared(name);
    return new Check(name, DOCS + own.page.orElseThrow(), own.live, body);
  }

  /** An observation of one of the cluster's objects. */
  interface Look<T> {
    void at(Facts facts, T one, Result result);
  }

  /** An observation of a data region of a server. */
  interface RegionLook {
    void at(Facts facts, Server server, DataRegionConfiguration region, Result result);
  }

  static BiConsumer<Facts, Result> servers(Look<Server> look) {
    return (facts, result) ->
        facts
            .servers()
            .forEach(server -> look.at(facts, server, result.on("servers", server.name())));
  }

  static BiConsumer<Facts, Result> persistent(Look<Server> look) {
    return servers(
        (facts, server, result) -> {
          if (server.persistent()) {
            look.at(facts, server, result);
          }
        });
  }

  static BiConsumer<Facts, Result> regions(RegionLook look) {
    return servers(
        (facts, server, result) ->
            server.regions().forEach(region -> look.at(facts, server, region, result)));
  }

  static BiConsumer<Facts, Result> caches(Look<CacheConfiguration<?, ?>> look) {
    return (facts, result) ->
        facts
            .caches()
            .forEach(cache -> look.at(facts, cache, result.on("caches", cache.getName())));
  }

  Result make(Facts facts) {
    Result result = new Result(this);
    if (live && !facts.live()) {
      result.unjudged("cluster");
    } else if (facts.isInactive() && !name.equals(TopologyChecks.STATE)) {
      result.unjudged("inactive");
    } else {
      try {
        body.accept(facts, result);
      } catch (RuntimeException | LinkageError failure) {
        result.unjudged("failure", "failure", Value.name(GridException.cause(failure)));
      }
    }
    return result;
  }

  /** Diagnoses of a check, or the reason why it could not judge. */
  static final class Result {
    private final Check check;
    private final List<Draft> drafts = new ArrayList<>();
    private Optional<Unjudged> unjudged = Optional.empty();
    private String kind = "";
    private String name = "";

    private Result(Check check) {
      this.check = check;
    }

    /** This result, whose next diagnoses are of one of the objects of a kind. */
    private Result on(String objects, String one) {
      kind = objects;
      name = one;
      return this;
    }

    void unjudged(String reason) {
      unjudged = Optional.of(new Unjudged(reason, Map.of()));
    }

    void unjudged(String reason, String value, Value of) {
      unjudged = Optional.of(new Unjudged(reason, Map.of(value, of)));
    }

    /** Operations of caches that do not count them go unseen. */
    void requireStatistics(Facts facts, Predicate<CacheConfiguration<?, ?>> which) {
      List<String> names =
          facts.caches().stream()
              .filter(which)
              .filter(facts::isUncounted)
              .map(CacheConfiguration::getName)
              .toList();
      if (!names.isEmpty()) {
        unjudged("statistics", "caches", Value.names(names));
      }
    }

    Optional<Unjudged> unjudged() {
      return drafts.isEmpty() ? unjudged : Optional.empty();
    }

    /** Variant of several servers or caches is one diagnosis: the one that weighs most. */
    List<Diagnosis> diagnoses() {
      return drafts.stream()
          .collect(
              Collectors.groupingBy(
                  draft -> List.of(draft.id, draft.severity, draft.apart),
                  LinkedHashMap::new,
                  Collectors.toList()))
          .values()
          .stream()
          .map(
              same ->
                  Collections.max(same, Comparator.comparing(draft -> draft.share)).diagnosis(same))
          .toList();
    }

    /** A diagnosis of the declared severity. */
    Draft found() {
      return found("");
    }

    /** Variant of the diagnosis; the diagnosis itself if its name is empty. */
    Draft found(String variant) {
      return draft(Optional.empty(), variant);
    }

    Draft draft(Severity severity, String variant) {
      return draft(Optional.of(severity), variant);
    }

    private Draft draft(Optional<Severity> severity, String variant) {
      String id = Diagnosis.id(variant.isEmpty() ? check.name : check.name + "." + variant);
      Draft draft = new Draft(check, id, severity);
      drafts.add(draft);
      return kind.isEmpty() ? draft : draft.of(kind, name);
    }
  }

  static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** A diagnosis in the making. */
  static final class Draft {
    private final Check check;
    private final String id;
    private final Severity severity;
    private final Map<String, Value> values = new HashMap<>();
    private final List<Evidence> evidence = new ArrayList<>();
    private final List<Change> change = new ArrayList<>();
    private String apart = "";
    private String objects = "";
    private String where = "all servers";
    private double share;
    private final Needs needs;
    private Comparison comparison;

    private Draft(Check check, String id, Optional<Severity> other) {
      Declared own = declared(id.substring(Diagnosis.id("").length()));
      this.check = check;
      this.id = id;
      this.severity = other.or(own::severity).orElseThrow();
      own.change.ifPresent(change::addAll);
      needs = own.needs.orElse(Needs.NOTHING);
      comparison = own.comparison.orElse(Comparison.NONE);
    }

    Draft of(Server server) {
      return of("servers", server.name());
    }

    Draft of(CacheConfiguration<?, ?> cache) {
      return of("caches", cache.getName());
    }

    /** One of the objects of a kind that are named together. */
    Draft of(String kind, String name) {
      objects = kind;
      where = name;
      return with(kind, Value.names(List.of(name)));
    }

    Draft with(String name, Value value) {
      values.put(name, value);
      return this;
    }

    /** A rate that the sentence names, with its evidence. */
    Draft rate(String what, double perSecond) {
      return with("rate", Value.rate(perSecond)).evidence(what + " [1/s]", perSecond);
    }

    /** A name whose diagnosis is separate from those of others. */
    Draft apart(String name, String value) {
      apart = value;
      return with(name, Value.name(value));
    }

    Draft evidence(String what, Object value) {
      return evidence(what, value, where);
    }

    Draft evidence(String what, Object value, String where) {
      String text = value instanceof Double number ? number(number) : String.valueOf(value);
      evidence.add(new Evidence(what, text, where));
      return this;
    }

    private static String number(double value) {
      return value == Math.rint(value) || Math.abs(value) >= 100
          ? text("%,.0f", value)
          : text("%.3g", value);
    }

    /** The measured cost, from 0 to 1. */
    Draft costs(double measured) {
      share = Math.max(0, Math.min(1, measured));
      return this;
    }

    /** The measured cost, which the sentence names. */
    Draft costs(String name, double measured) {
      return with(name, Value.share(measured)).costs(measured);
    }

    /** A property of a bean, before and after. */
    Draft change(String property, Object now, Object then) {
      change.add(new Change(property, String.valueOf(now), String.valueOf(then)));
      return this;
    }

    /** A setting of experiments, before and after. */
    Draft comparison(String setting, String now, String then) {
      comparison = new Comparison(Map.of(setting, now), Map.of(setting, then));
      return this;
    }

    /** Makes it of several drafts; where there is no evidence, it is what is to be changed. */
    private Diagnosis diagnosis(List<Draft> same) {
      if (evidence.isEmpty()) {
        change.forEach(each -> evidence(each.property(), each.now()));
      }
      if (!objects.isEmpty()) {
        List<String> names = new ArrayList<>(List.of(where));
        same.forEach(other -> names.add(other.where));
        values.put(objects, Value.names(names.stream().distinct().toList()));
      }
      return new Diagnosis(
          id,
          severity,
          values,
          share,
          evidence,
          change,
          needs,
          comparison,
          check.source,
          Optional.empty());
    }
  }
}
