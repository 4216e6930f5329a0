package io.pyrometer.cli;

import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.PlannedRun.Form;
import io.pyrometer.journal.RunException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The user's own classes, for commands that read an experiment. */
class ClassPathOption {
  @Option(names = "--classpath", split = ":", paramLabel = "PATH")
  List<Path> classPath = new ArrayList<>();

  /** A run that no command line repeats, with these classes. */
  PlannedRun planned(Plan plan, Catalogue catalogue) {
    return planned(plan, catalogue, List.of(), Map.of());
  }

  PlannedRun planned(
      Plan plan, Catalogue catalogue, List<String> arguments, Map<String, Form> longerForms) {
    return PlannedRun.of(plan, catalogue.drivers(), arguments, classPath, longerForms);
  }

  void mustExist() {
    mustExist("--classpath", classPath);
  }

  /**
   * Checks a class path.
   *
   * @throws RunException naming the first part that does not exist
   */
  static void mustExist(String option, List<Path> classPath) {
    for (Path path : classPath) {
      if (!Files.exists(path)) {
        throw RunException.of(
            "%s names %s, which does not exist; build your classes or correct it.", option, path);
      }
    }
  }
}
