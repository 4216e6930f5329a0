package io.pyrometer.experiment;

import java.nio.file.Path;
import java.util.Optional;

/** What a file says of the grid. */
record GridPart(
    String driver,
    Vocabulary vocabulary,
    Optional<Path> config,
    Optional<String> attach,
    Given given) {

  /** Why Pyrometer starts no nodes; what to do. Empty if it starts them. */
  Optional<String> noNodes() {
    if (attach.isPresent()) {
      return Optional.of("this grid is attached to; remove it or 'attach'.");
    }
    return vocabulary.hasNodes()
        ? Optional.empty()
        : Optional.of("the driver '" + driver + "' has none; remove it.");
  }
}
