package io.pyrometer.cli;

import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.ServerDescription;
import java.util.List;

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
                      PathDescription.mix(
                          "mixed",
                          Guarantee.OF_ONE,
                          "Mixes.",
                          PathSettings.mix("get", "get-all", "put"))))));

  private OneGrid() {}
}
