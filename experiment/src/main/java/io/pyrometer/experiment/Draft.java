package io.pyrometer.experiment;

import io.pyrometer.protocol.RecordShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was read of a file for the checks that look at several places at once.
 *
 * @param base settings of grid and workload
 * @param noNodes why Pyrometer starts no nodes; what to do; empty if it starts them
 * @param pathMayBeLost whether a level or case could not be read, and a path with it
 * @param end where a missing thing is reported
 */
record Draft(
    Given base,
    List<DraftLevel> cases,
    List<DraftFactor> factors,
    Design design,
    Optional<RecordShape> record,
    Optional<String> noNodes,
    boolean pathMayBeLost,
    Position end) {

  record DraftLevel(String label, Given given, Position at) {

    Level level() {
      return new Level(label, given.settings());
    }
  }

  record DraftFactor(String name, Position at, List<DraftLevel> levels) {

    Factor factor() {
      return new Factor(name, levels.stream().map(DraftLevel::level).toList());
    }

    /** Whether every level gives the setting, so that no other place's value counts. */
    boolean alwaysSets(String setting) {
      return levels.stream().allMatch(level -> level.given().settings().has(setting));
    }
  }

  /** Where the value of a setting stands in the treatment of these levels. */
  Position where(Map<String, String> levels, String setting) {
    Given given = base;
    for (DraftLevel each : cases) {
      if (each.label().equals(levels.get(Treatments.CASE))) {
        given = given.with(each.given());
      }
    }
    for (DraftFactor factor : factors) {
      for (DraftLevel level : factor.levels()) {
        if (level.label().equals(levels.get(factor.name()))) {
          given = given.with(level.given());
        }
      }
    }
    return given.at().getOrDefault(setting, end);
  }

  Treatments treatments() {
    return new Treatments(
        base.settings(),
        cases.stream().map(DraftLevel::level).toList(),
        factors.stream().map(DraftFactor::factor).toList(),
        design);
  }

  /** Settings given anywhere, each with a place. */
  List<Given> allGiven() {
    List<Given> all = new ArrayList<>();
    all.add(base);
    cases.forEach(each -> all.add(each.given()));
    factors.forEach(factor -> factor.levels().forEach(level -> all.add(level.given())));
    return all;
  }
}
