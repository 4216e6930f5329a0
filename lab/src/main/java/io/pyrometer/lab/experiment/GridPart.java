package io.pyrometer.lab.experiment;

import java.nio.file.Path;
import java.util.Optional;

/** What a file says of the grid. */
record GridPart(
    String driver,
    Vocabulary vocabulary,
    Optional<Path> config,
    Optional<String> attach,
    Given given) {}
