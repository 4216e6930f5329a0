package io.pyrometer.driver.ignite;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The faults that are planted. */
final class PlantedFaults {
  private PlantedFaults() {}

  static final List<PlantedFault> ALL =
      Stream.of(
              CacheFaults.ALL, ClientFaults.ALL, SqlFaults.ALL, ServerFaults.ALL, ClusterFaults.ALL)
          .flatMap(List::stream)
          .toList();

  static Optional<PlantedFault> named(String check) {
    return ALL.stream().filter(fault -> fault.name().equals(check)).findFirst();
  }
}
