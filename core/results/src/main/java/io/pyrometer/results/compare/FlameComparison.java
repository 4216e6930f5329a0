package io.pyrometer.results.compare;

import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Job;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import io.pyrometer.results.compare.RunComparison.Side;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import one.convert.Arguments;
import one.convert.FlameGraph;

/**
 * Differential flame graphs: what one version, or one treatment, does more than another, from the
 * stacks that the telemetry device {@code profile} recorded. They lie in a folder beside the page.
 */
public final class FlameComparison {
  private static final int MOST_PAGES = 24;
  private static final String STACKS = "collapsed-stacks";
  private static final String CPU = " cpu";

  private FlameComparison() {}

  /** Of one treatment and role, such as {@code nodes cpu}, of both versions. */
  private record Compared(String treatment, String of, Stacks before, Stacks after) {
    String file(int number) {
      return "%d-%s-B.html".formatted(number + 1, of.replace(' ', '-'));
    }

    /** The widths are those of B, as if A had been recorded for as long. */
    void write(Path file) throws IOException {
      String title = "B against A: %s, %s".formatted(of, treatment);
      FlameGraph difference = after.over(after.seconds, title);
      difference.diff(before.over(after.seconds, "A"));
      try (OutputStream out = Files.newOutputStream(file)) {
        difference.dump(out);
      }
    }
  }

  /**
   * Writes the graphs of every treatment that both versions have stacks of.
   *
   * @param page the file of the comparison's page
   * @return the section that lists them; empty where there are none
   * @throws RunException if they cannot be written
   */
  public static Optional<Section> write(RunComparison found, Path page) {
    try {
      return write(compared(found), page, "Of all valid trials together. The");
    } catch (IOException failure) {
      throw unwritable(page, failure);
    }
  }

  /**
   * Writes the graphs of CPU time of every two treatments of a job that were profiled.
   *
   * @param page the file of the run's report
   * @return the section that lists them; empty where there are none
   * @throws RunException if they cannot be written
   */
  public static Optional<Section> write(RunRecord run, Path page) {
    Map<Job, Map<String, Map<String, Stacks>>> byJob = new TreeMap<>();
    List<Compared> compared = new ArrayList<>();
    try {
      for (List<TrialRecord> trials : List.of(run.counting(), run.profiles())) {
        for (TrialRecord trial : trials) {
          addStacks(
              byJob
                  .computeIfAbsent(trial.job(), job -> new LinkedHashMap<>())
                  .computeIfAbsent(trial.label(), label -> new TreeMap<>()),
              run,
              trial);
        }
      }
      for (Map<String, Map<String, Stacks>> treatments : byJob.values()) {
        List<String> labels = List.copyOf(treatments.keySet());
        for (int b = 1; b < labels.size(); b++) {
          Map<String, Stacks> after = treatments.getOrDefault(labels.get(b), Map.of());
          for (String a : labels.subList(0, b)) {
            String name = "A: %s, B: %s".formatted(a, labels.get(b));
            addCompared(compared, name, treatments.getOrDefault(a, Map.of()), after);
          }
        }
      }
      compared.removeIf(each -> !each.of().endsWith(CPU));
      return write(compared, page, "Of the profiled trials of two treatments. The");
    } catch (IOException failure) {
      throw unwritable(page, failure);
    }
  }

  private static RunException unwritable(Path page, IOException failure) {
    return new RunException(
        "The flame graphs cannot be written beside %s (%s); make room on the disk."
            .formatted(page, failure.getMessage()),
        failure);
  }

  private static Optional<Section> write(List<Compared> all, Path page, String lead)
      throws IOException {
    String name = String.valueOf(page.getFileName()).replaceFirst("\\.html$", "") + "-flames";
    Path folder = page.resolveSibling(name);
    List<List<String>> rows = new ArrayList<>();
    for (Compared each : all.subList(0, Math.min(all.size(), MOST_PAGES))) {
      Files.createDirectories(folder);
      String file = each.file(rows.size());
      each.write(folder.resolve(file));
      rows.add(List.of(each.treatment(), each.of(), name + "/" + file));
    }
    return rows.isEmpty() ? Optional.empty() : Optional.of(section(lead, rows, all.size()));
  }

  private static Section section(String lead, List<List<String>> rows, int all) {
    return Section.of(
        "flames",
        "Differential flame graphs",
        lead
            + " widths are those of B; red is what it has more of than A in the same time, blue"
            + " what it has less of, yellow what A has not at all. In a closed loop both may have"
            + " used all of the machine: then look at shares, and at CPU time of a record above."
            + (all == rows.size() ? "" : " %d more are not drawn.".formatted(all - rows.size())),
        Figure.of(
            "One row a treatment and role",
            Table.ofWords(List.of("treatment", "of", "difference"), rows)));
  }

  private static List<Compared> compared(RunComparison found) throws IOException {
    List<Compared> compared = new ArrayList<>();
    Side baseline = found.sides().get(0);
    for (Map<String, String> levels : new TreatmentTrials(baseline.runs().get(0)).treatments()) {
      Map<String, Stacks> before = stacks(baseline, levels);
      addCompared(
          compared,
          Labels.of(levels, "the treatment"),
          before,
          stacks(found.sides().get(1), levels));
    }
    return compared;
  }

  private static void addCompared(
      List<Compared> to, String name, Map<String, Stacks> before, Map<String, Stacks> after) {
    after.forEach(
        (key, stacks) ->
            Optional.ofNullable(before.get(key))
                .map(of -> new Compared(name, key, of, stacks))
                .ifPresent(to::add));
  }

  /** The samples of the processes of one role. */
  private static final class Stacks {
    private final Map<String, Long> counts = new TreeMap<>();
    private double seconds;

    void add(Path file) throws IOException {
      for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
        int end = line.lastIndexOf(' ');
        if (end > 0) {
          counts.merge(line.substring(0, end), Long.parseLong(line.substring(end + 1)), Long::sum);
        }
      }
    }

    /** As if recorded for so long. */
    FlameGraph over(double wanted, String title) throws IOException {
      double factor = seconds > 0 ? wanted / seconds : 1;
      StringBuilder text = new StringBuilder();
      counts.forEach(
          (stack, count) ->
              text.append(stack).append(' ').append(Math.round(count * factor)).append('\n'));
      FlameGraph graph = new FlameGraph(new Arguments("--inverted", "--title", title));
      graph.parseCollapsed(new StringReader(text.toString()));
      return graph;
    }
  }

  private static Map<String, Stacks> stacks(Side side, Map<String, String> levels)
      throws IOException {
    Map<String, Stacks> all = new TreeMap<>();
    for (RunRecord run : side.runs()) {
      for (TrialRecord trial : run.counting()) {
        if (trial.levels().equals(levels)) {
          addStacks(all, run, trial);
        }
      }
    }
    return all;
  }

  /** By role and subject, such as {@code nodes cpu}. */
  private static void addStacks(Map<String, Stacks> all, RunRecord run, TrialRecord trial)
      throws IOException {
    Set<Stacks> ofTrial = new HashSet<>();
    for (Artefact artefact : trial.artefacts()) {
      Path file = run.folder().file(artefact.file());
      if (trial.outcome() == Outcome.OK
          && artefact.kind().equals(STACKS)
          && Files.isRegularFile(file)) {
        Stacks stacks = all.computeIfAbsent(key(artefact), key -> new Stacks());
        stacks.add(file);
        ofTrial.add(stacks);
      }
    }
    ofTrial.forEach(stacks -> stacks.seconds += trial.counts().seconds());
  }

  private static String key(Artefact artefact) {
    String file = artefact.file();
    String subject = file.substring(file.lastIndexOf('-') + 1).replaceFirst("\\.collapsed$", "");
    return artefact.process().replaceFirst("-\\d+$", "s") + " " + subject;
  }
}
