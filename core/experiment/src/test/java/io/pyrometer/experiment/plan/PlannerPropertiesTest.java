package io.pyrometer.experiment.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Options;
import io.pyrometer.experiment.model.Experiment.Testbed;
import io.pyrometer.experiment.model.Experiment.Variants;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PlannerPropertiesTest {

  private static final int TRIES = 60;
  private static final Map<String, List<Object>> VALUES = new LinkedHashMap<>();

  static {
    VALUES.put("path", List.of("put", "put-all", "get", "scan", "mix"));
    VALUES.put("nodes", List.of(1L, 2L, 3L));
    VALUES.put("persistence", List.of(true, false));
    VALUES.put("agents", List.of(1L, 2L));
    VALUES.put("records", List.of(10L, 100L, 1000L));
    VALUES.put("keys", List.of("uniform", "zipf"));
  }

  @Property(tries = TRIES)
  void everyTreatmentComesExactlyOnceABlock(@ForAll("experiments") Experiment experiment) {
    Plan plan = plan(experiment);
    Set<Map<String, String>> treatments =
        experiment.treatments().expand().stream()
            .map(Treatment::levels)
            .collect(Collectors.toSet());
    for (int block = 0; block < experiment.options().blocks(); block++) {
      int each = block;
      List<Map<String, String>> made =
          plan.trials().stream()
              .filter(trial -> trial.block() == each)
              .map(TrialSpec::levels)
              .toList();
      assertThat(made).containsExactlyInAnyOrderElementsOf(treatments);
    }
  }

  @Property(tries = TRIES)
  void theSameSeedGivesTheSamePlan(@ForAll("experiments") Experiment experiment) {
    assertThat(plan(experiment)).isEqualTo(plan(experiment));
  }

  @Property(tries = 20)
  void blocksAndSeedsDifferInOrder(@ForAll long seed) {
    List<Factor> factors = List.of(factor("path", 5), factor("records", 3), factor("keys", 2));
    Set<List<Map<String, String>>> orders = new HashSet<>();
    for (long each : new long[] {seed, seed + 1}) {
      for (Group group : plan(experiment(factors, new Design.Full(), 3, each)).groups()) {
        orders.add(group.trials().stream().map(TrialSpec::levels).toList());
      }
    }
    assertThat(orders).hasSize(6);
  }

  @Property(tries = TRIES)
  void aGroupsTrialsShareItsProcessesAndItsBlock(@ForAll("experiments") Experiment experiment) {
    for (Group group : plan(experiment).groups()) {
      for (TrialSpec trial : group.trials()) {
        assertThat(trial.block()).isEqualTo(group.block());
        assertThat(trial.settings().values()).containsAllEntriesOf(group.process().values());
      }
    }
  }

  @Property(tries = TRIES)
  void settingsAreCompleteAndThoseOfTheLevels(@ForAll("experiments") Experiment experiment) {
    for (TrialSpec trial : plan(experiment).trials()) {
      CoreSettings.ALL.stream()
          .filter(setting -> setting.initial().isPresent())
          .forEach(setting -> assertThat(trial.settings().has(setting.name())).isTrue());
      assertThat(trial.settings().has("backups")).isTrue();
      assertThat(trial.settings().has("batch"))
          .isEqualTo(List.of("put-all", "mix").contains(trial.path()));
      trial
          .levels()
          .forEach((factor, label) -> assertThat(trial.settings().text(factor)).isEqualTo(label));
    }
  }

  @Property(tries = TRIES)
  void eachNodeIsWarmedUpAsLongHoweverManyThereAre(@ForAll("experiments") Experiment experiment) {
    List<TrialSpec> trials = plan(experiment).trials();
    int fewest = trials.stream().mapToInt(t -> t.settings().integer("nodes")).min().orElseThrow();
    assertThat(trials)
        .allSatisfy(
            trial ->
                assertThat(trial.settings().decimal("common-warm-up"))
                    .isCloseTo(10.0 * trial.settings().integer("nodes") / fewest, within(1e-9)));
  }

  @Property(tries = TRIES)
  void trialsOfABlockSeeTheSameData(@ForAll("experiments") Experiment experiment) {
    Map<Integer, Set<Long>> seeds = new HashMap<>();
    for (TrialSpec trial : plan(experiment).trials()) {
      seeds.computeIfAbsent(trial.block(), b -> new HashSet<>()).add(trial.seed());
    }
    seeds.values().forEach(each -> assertThat(each).hasSize(1));
    assertThat(seeds.values().stream().distinct()).hasSize(experiment.options().blocks());
  }

  @Provide
  Arbitrary<Experiment> experiments() {
    Arbitrary<List<Factor>> factors =
        Arbitraries.of(VALUES.keySet())
            .filter(name -> !name.equals("path"))
            .set()
            .ofMaxSize(4)
            .flatMap(PlannerPropertiesTest::levels);
    return Combinators.combine(
            factors,
            Arbitraries.<Design>of(new Design.Full(), new Design.OneAtATime()),
            Arbitraries.integers().between(1, 4),
            Arbitraries.longs())
        .as(PlannerPropertiesTest::experiment);
  }

  private static Arbitrary<List<Factor>> levels(Set<String> names) {
    List<Arbitrary<Factor>> factors = new ArrayList<>();
    factors.add(someLevels("path"));
    names.forEach(name -> factors.add(someLevels(name)));
    return Combinators.combine(factors).as(list -> list);
  }

  private static Arbitrary<Factor> someLevels(String name) {
    return Arbitraries.integers()
        .between(1, VALUES.get(name).size())
        .map(count -> factor(name, count));
  }

  private static Factor factor(String name, int count) {
    return new Factor(
        name,
        VALUES.get(name).subList(0, count).stream()
            .map(value -> new Level(value.toString(), Settings.NONE.with(name, value)))
            .toList(),
        Optional.empty());
  }

  private static Experiment experiment(List<Factor> factors, Design design, int blocks, long seed) {
    return new Experiment(
        "property",
        "Does it hold?",
        Testbed.LOCAL,
        Fixture.CATALOGUE.records().get("stock-order"),
        new Treatments(Settings.NONE.with(CoreSettings.DRIVER, "rich"), List.of(), factors, design),
        new Options(
            blocks, seed, List.of("ranking"), List.of(), List.of(), List.of(), Optional.empty()),
        Variants.NONE,
        Optional.empty(),
        "");
  }

  private static Plan plan(Experiment experiment) {
    return Fixture.plan(experiment);
  }
}
