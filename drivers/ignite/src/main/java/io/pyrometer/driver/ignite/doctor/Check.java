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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.DataRegionConfiguration;

/**
 * One check. What a check finds has its severity and the page of Ignite's documentation in {@code
 * checks.json}, and its words, with the limits from which it is found, in the message file.
 *
 * @param name unique; the id of its diagnosis is {@code doctor.NAME}
 * @param source the page of Ignite's documentation that it follows
 * @param live whether it needs a running cluster
 * @param body looks at the facts and adds what is wrong
 */
record Check(String name, String source, boolean live, Consumer<Look> body) {
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
  static Check of(String name, Consumer<Look> body) {
    Declared own = declared(name);
    String source = "https://ignite.apache.org/docs/latest/" + own.page.orElseThrow();
    return new Check(name, source, own.live, body);
  }

  /** An observation of a data region of a server. */
  interface OfRegion {
    void accept(Look look, Server server, DataRegionConfiguration region);
  }

  /** Looks at all objects of a kind, each of which has a name. */
  static <T> Consumer<Look> each(
      String kind,
      Function<Look, List<T>> objects,
      Function<T, String> name,
      BiConsumer<Look, T> body) {
    return look ->
        objects.apply(look).forEach(one -> body.accept(look.on(kind, name.apply(one)), one));
  }

  static Consumer<Look> servers(BiConsumer<Look, Server> body) {
    return each("servers", Look::servers, Server::name, body);
  }

  /** Looks at all servers with persistence. */
  static Consumer<Look> persistent(BiConsumer<Look, Server> body) {
    return servers(
        (look, server) -> {
          if (server.persistent()) {
            body.accept(look, server);
          }
        });
  }

  static Consumer<Look> regions(OfRegion body) {
    return servers(
        (look, server) -> server.regions().forEach(region -> body.accept(look, server, region)));
  }

  static Consumer<Look> persistentRegions(OfRegion body) {
    return regions(
        (look, server, region) -> {
          if (region.isPersistenceEnabled()) {
            body.accept(look, server, region);
          }
        });
  }

  static Consumer<Look> caches(BiConsumer<Look, CacheConfiguration<?, ?>> body) {
    return each("caches", Look::caches, CacheConfiguration::getName, body);
  }

  Result make(Facts facts) {
    Look look = new Look(this, facts);
    if (live && !facts.live()) {
      look.unjudged("cluster");
    } else if (facts.isInactive() && !name.equals(TopologyChecks.STATE)) {
      look.unjudged("inactive");
    } else {
      try {
        body.accept(look);
      } catch (RuntimeException | LinkageError failure) {
        look.unjudged("failure", "failure", Value.name(GridException.cause(failure)));
      }
    }
    return look;
  }

  /** Diagnoses of a check, or the reason why it could not judge. */
  static class Result {
    private final Check check;
    private final List<Draft> drafts = new ArrayList<>();
    private Optional<Unjudged> unjudged = Optional.empty();
    private String kind = "";
    private String name = "";

    Result(Check check) {
      this.check = check;
    }

    /** Names the object, of a kind of objects, that the next diagnoses are of. */
    void setObject(String objects, String one) {
      kind = objects;
      name = one;
    }

    void unjudged(String reason) {
      unjudged = Optional.of(new Unjudged(reason, Map.of()));
    }

    void unjudged(String reason, String value, Value of) {
      unjudged = Optional.of(new Unjudged(reason, Map.of(value, of)));
    }

    Optional<Unjudged> unjudged() {
      return drafts.isEmpty() ? unjudged : Optional.empty();
    }

    /** The diagnoses; those of several servers or caches are one: the one that weighs most. */
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
      String id = variant.isEmpty() ? check.name : check.name + "." + variant;
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
    private final Declared declared;
    private final Severity severity;
    private final Map<String, Value> values = new HashMap<>();
    private final List<Evidence> evidence = new ArrayList<>();
    private final List<Change> change = new ArrayList<>();
    private String apart = "";
    private String objects = "";
    private String where = "all servers";
    private double share;
    private Comparison comparison;

    private Draft(Check check, String name, Optional<Severity> other) {
      this.check = check;
      id = Diagnosis.id(name);
      declared = declared(name);
      severity = other.or(declared::severity).orElseThrow();
      declared.change.ifPresent(change::addAll);
      comparison = declared.comparison.orElse(Comparison.NONE);
    }

    Draft of(Server server) {
      return of("servers", server.name());
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

    Draft count(String name, double number) {
      return with(name, Value.count(Math.round(number)));
    }

    Draft seconds(String name, double seconds) {
      return with(name, Value.seconds(seconds));
    }

    Draft share(String name, double ofAll) {
      return with(name, Value.share(ofAll));
    }

    Draft name(String name, String value) {
      return with(name, Value.name(value));
    }

    /** A rate that the sentence names, with its evidence. */
    Draft rate(String what, double perSecond) {
      return with("rate", Value.rate(perSecond)).evidence(what + " [1/s]", perSecond);
    }

    /** A name whose diagnosis is separate from those of others. */
    Draft apart(String name, String value) {
      apart = value;
      return name(name, value);
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
      boolean whole = value == Math.rint(value) || Math.abs(value) >= 100;
      return text(whole ? "%,.0f" : "%.3g", value);
    }

    /** The measured cost, from 0 to 1. */
    Draft costs(double measured) {
      share = Math.max(0, Math.min(1, measured));
      return this;
    }

    /** The measured cost, which the sentence names. */
    Draft costs(String name, double measured) {
      return share(name, measured).costs(measured);
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
      Needs needs = declared.needs.orElse(Needs.NOTHING);
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
