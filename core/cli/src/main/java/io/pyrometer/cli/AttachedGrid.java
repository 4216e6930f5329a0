package io.pyrometer.cli;

import io.pyrometer.analysis.Figures;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.Overrides;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.GridDescription;
import io.pyrometer.protocol.GridDescription.CacheDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/**
 * Shows the grid that a run attaches to, and what the run writes to it; in a terminal, asks before
 * the run begins.
 */
final class AttachedGrid {
  static final String QUESTION = "Write to this grid?";
  static final String REFUSED =
      "The run was not started, and nothing was written: answer y, or use --yes, to start it.";

  @Option(names = {"-y", "--yes"})
  boolean yes;

  /**
   * The experiment with as many records as there are in the caches that it reads, where it does not
   * say how many.
   */
  static Experiment fitted(
      Experiment experiment, PlannedRun plan, GridDescription grid, Catalogue catalogue) {
    Map<String, Long> read = plan.recordsRead();
    long least =
        grid.caches().stream()
            .filter(cache -> read.containsKey(cache.name()))
            .flatMap(cache -> cache.records().stream())
            .min(Comparator.naturalOrder())
            .orElse(0L);
    boolean more = read.values().stream().anyMatch(records -> records > least);
    boolean given =
        experiment.treatments().expand().stream()
            .anyMatch(each -> each.settings().has(CoreSettings.RECORDS));
    return least == 0 || !more || given
        ? experiment
        : new Overrides(
                false,
                Optional.empty(),
                Optional.empty(),
                List.of(CoreSettings.RECORDS.name() + "=" + least))
            .applyTo(experiment, catalogue);
  }

  /**
   * @param out receives the description
   * @param err receives the question
   * @throws RunException if the answer is no, or a cache holds fewer records than the run reads
   */
  void confirm(PlannedRun plan, Optional<GridDescription> grid, PrintWriter out, PrintWriter err) {
    if (grid.isPresent()) {
      show(plan, grid.get(), out);
      if (writes(plan) && !yes) {
        Console.confirm(QUESTION, REFUSED, err);
      }
    }
  }

  private static boolean writes(PlannedRun plan) {
    return plan.trials().stream().anyMatch(trial -> trial.job() != Job.READ);
  }

  /**
   * @throws RunException if a cache holds fewer records than the run reads
   */
  static void show(PlannedRun plan, GridDescription grid, PrintWriter out) {
    for (CacheDescription cache : grid.caches()) {
      long most = plan.recordsRead().getOrDefault(cache.name(), 0L);
      if (cache.records().filter(there -> there < most).isPresent()) {
        throw RunException.of(
            "Cache '%s' holds %,d records: set 'records' to as many or fewer, in place of %,d.",
            cache.name(), cache.records().get(), most);
      }
    }
    List<String> facts = new ArrayList<>();
    grid.servers().ifPresent(servers -> facts.add(Figures.count(servers, "server")));
    grid.facts().forEach((name, value) -> facts.add(name + " " + value));
    Console.say(
        out,
        "The grid at %s: %s."
            .formatted(plan.testbed().attach().orElse(""), String.join(", ", facts)));
    Console.list(out, grid.caches().stream().map(AttachedGrid::row).toList());
    if (grid.others() > 0) {
      out.println("  and " + Figures.count(grid.others(), "other cache"));
    }
    Console.say(out, written(plan, grid));
  }

  private static List<String> row(CacheDescription cache) {
    String bytes =
        cache.bytes().map(n -> String.format(Locale.ROOT, "about %,d bytes each; ", n)).orElse("");
    return List.of(
        cache.name(),
        cache
            .records()
            .map(n -> String.format(Locale.ROOT, "%,d %s", n, n == 1 ? "record" : "records"))
            .orElse("not countable"),
        bytes
            + cache.settings().entrySet().stream()
                .map(setting -> setting.getKey() + " " + setting.getValue())
                .collect(Collectors.joining(", ")));
  }

  private static String written(PlannedRun plan, GridDescription grid) {
    if (!writes(plan)) {
      return "The run only reads from it, as fast as it can unless 'rate' is set; nothing is"
          + " written to the grid.";
    }
    String most =
        plan.trials().stream()
            .filter(trial -> trial.job().storesRecords())
            .map(trial -> Data.of(plan, trial, grid))
            .max(Comparator.comparingDouble(Data::total))
            .map(Data::words)
            .orElse("");
    return "The run writes to caches of its own in this grid, one after another%s, and removes them."
        .formatted(most);
  }

  /** Data that one trial stores. */
  private record Data(long records, long bytes, int copies) {

    static Data of(PlannedRun plan, TrialSpec trial, GridDescription grid) {
      Settings settings = trial.settings();
      return new Data(
          settings.get(CoreSettings.RECORDS),
          settings.find(CoreSettings.BYTES).orElse(trial.record().bytes()),
          plan.driver(settings).data(settings).copiesOn(grid.servers().orElse(1)));
    }

    double total() {
      return (double) records * bytes * copies;
    }

    String words() {
      return String.format(
          Locale.ROOT,
          ", up to %,d records of %,d bytes in %s each (%,.1f MB)",
          records,
          bytes,
          copies == 1 ? "1 copy" : copies + " copies",
          total() / (1 << 20));
    }
  }
}
