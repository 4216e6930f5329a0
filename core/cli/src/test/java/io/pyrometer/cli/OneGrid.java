package io.pyrometer.cli;

import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import java.util.List;
import java.util.Optional;

/** A driver with nodes and two paths, without a product. */
final class OneGrid {
  static final Catalogue CATALOGUE =
      Catalogue.of(
          List.of(
              new DriverDescription(
                  "some",
                  "Some",
                  "1",
                  "A grid.",
                  List.of("nodes"),
                  ServerDescription.NO_PORTS,
                  List.of(),
                  List.of(),
                  List.of(
                      PathDescription.write("put", Guarantee.OF_ONE, "Writes.").asPlainest(),
                      new PathDescription(
                          "mixed",
                          Job.MIX,
                          false,
                          "Mixes.",
                          Optional.of(Guarantee.OF_ONE),
                          SettingKey.descriptions(
                              SettingKey.shares("mix", Scope.LOAD, "get", "get-all", "put")))),
                  List.of(),
                  DataFactRules.NONE,
                  List.of(),
                  List.of())));

  private OneGrid() {}
}
