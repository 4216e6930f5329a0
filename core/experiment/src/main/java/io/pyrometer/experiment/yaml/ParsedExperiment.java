package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.design.Factor.Role;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.yaml.SettingsReader.Placed;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.protocol.RecordShape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The parts of a file with their places, for the checks that compare several of them.
 *
 * @param base settings of grid and workload
 * @param noServers the reason why Pyrometer starts no servers, and what to do; empty if it starts
 *     them
 * @param attached whether the servers are somebody else's
 * @param end the place of what is missing
 */
record ParsedExperiment(
    Placed base,
    List<PlacedLevel> cases,
    List<PlacedFactor> factors,
    Design design,
    RecordShape record,
    Optional<String> noServers,
    boolean attached,
    Position end) {

  record PlacedLevel(String label, Placed settings, Position at) {

    Level level() {
      return new Level(label, settings.settings());
    }
  }

  record PlacedFactor(String name, Position at, List<PlacedLevel> levels, Optional<Role> role) {

    Factor factor() {
      return new Factor(name, levels.stream().map(PlacedLevel::level).toList(), role);
    }

    /** Checks whether every level gives the setting, so that no other place's value counts. */
    boolean alwaysSets(String setting) {
      return levels.stream().allMatch(level -> level.settings().settings().has(setting));
    }
  }

  /** The position of a setting's value in the treatment of these levels. */
  Position where(Map<String, String> levels, String setting) {
    Placed placed = base;
    for (PlacedLevel each : cases) {
      if (each.label().equals(levels.get(Treatments.CASE))) {
        placed = placed.with(each.settings());
      }
    }
    for (PlacedFactor factor : factors) {
      for (PlacedLevel level : factor.levels()) {
        if (level.label().equals(levels.get(factor.name()))) {
          placed = placed.with(level.settings());
        }
      }
    }
    return placed.at().getOrDefault(setting, end);
  }

  Treatments treatments() {
    return new Treatments(
        base.settings(),
        cases.stream().map(PlacedLevel::level).toList(),
        factors.stream().map(PlacedFactor::factor).toList(),
        design);
  }

  /** Settings given anywhere, each with a place. */
  Stream<Placed> allSettings() {
    return Stream.concat(
        outsideFactors(),
        factors.stream().flatMap(factor -> factor.levels().stream()).map(PlacedLevel::settings));
  }

  /** Settings given in the grid, the workload and the cases. */
  Stream<Placed> outsideFactors() {
    return Stream.concat(Stream.of(base), cases.stream().map(PlacedLevel::settings));
  }
}
