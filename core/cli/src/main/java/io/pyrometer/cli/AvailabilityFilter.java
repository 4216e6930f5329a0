package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.host.Jvm;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingKey;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Removes from experiments the treatments whose product or JDK is missing on this machine. */
final class AvailabilityFilter {

  private AvailabilityFilter() {}

  /**
   * The experiment without the treatments that this machine cannot measure; unchanged where other
   * hosts start the servers.
   *
   * @param out receives one sentence for each missing product or JDK
   * @throws RunException if something else is missing
   */
  static Experiment of(Experiment whole, Catalogue catalogue, PrintWriter out) {
    Experiment kept = available(whole, catalogue, out);
    Vocabulary vocabulary = catalogue.vocabulary(kept.drivers());
    kept.treatments().expand().stream()
        .map(Treatment::settings)
        .flatMap(
            settings ->
                TrialKinds.of(vocabulary.path(settings).job())
                    .flatMap(kind -> kind.missing(settings))
                    .stream())
        .findFirst()
        .ifPresent(
            why -> {
              throw new RunException(why);
            });
    return kept;
  }

  private static Experiment available(Experiment whole, Catalogue catalogue, PrintWriter out) {
    if (whole.testbed().attach().isPresent() || !whole.testbed().hosts().isEmpty()) {
      return whole;
    }
    if (whole.drivers().stream()
        .flatMap(name -> Stream.ofNullable(catalogue.drivers().get(name)))
        .anyMatch(driver -> driver.servers().nativeProcess())) {
      Home.distribution().build(whole.drivers());
    }
    Experiment kept =
        without(
            whole,
            CoreSettings.DRIVER,
            name ->
                Optional.ofNullable(catalogue.drivers().get(name))
                    .flatMap(Home.distribution()::missing),
            out);
    for (SettingKey<String> jdk : List.of(CoreSettings.NODE_JDK, CoreSettings.AGENT_JDK)) {
      kept = without(kept, jdk, Jvm::missing, out);
    }
    return kept;
  }

  private static Experiment without(
      Experiment whole,
      SettingKey<String> key,
      Function<String, Optional<String>> missing,
      PrintWriter out) {
    Experiment kept = whole;
    for (String value : whole.values(key)) {
      Optional<String> why = missing.apply(value);
      if (why.isPresent()) {
        kept = kept.without(key, value, why.get());
        Console.say(out, "The %s '%s' is left out. %s".formatted(key.name(), value, why.get()));
      }
    }
    return kept;
  }
}
