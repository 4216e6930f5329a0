package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.host.Jvm;
import io.pyrometer.experiment.Catalogue;
import io.pyrometer.experiment.Experiment;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingKey;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Leaves out of experiments what needs a product or a JDK that is missing on this machine. */
final class WhatIsHere {

  private WhatIsHere() {}

  /**
   * The experiment without the treatments that cannot be measured here; whole where other hosts
   * start the servers.
   *
   * @param out where each thing that is missing is said in one sentence
   */
  static Experiment of(Experiment whole, Catalogue catalogue, PrintWriter out) {
    if (whole.testbed().attach().isPresent() || !whole.testbed().hosts().isEmpty()) {
      return whole;
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
        out.println(
            Console.wrapped("The %s '%s' is left out. %s".formatted(key.name(), value, why.get())));
      }
    }
    return kept;
  }
}
