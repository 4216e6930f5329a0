package io.pyrometer.results.compare;

import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Html;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import one.convert.Arguments;
import one.convert.FlameGraph;

/**
 * Flame graphs of two versions beside each other, and what one has more than the other, from the
 * stacks that the telemetry device {@code profile} recorded. They lie in a folder beside the page.
 */
public final class FlameComparison {
  private static final int MOST_PAGES = 24;
  private static final String STACKS = "collapsed-stacks";
  private static final String SUFFIX = ".collapsed";

  private final Path folder;
  private final List<List<String>> rows = new ArrayList<>();
  private int left;

  private FlameComparison(Path folder) {
    this.folder = folder;
  }

  /**
   * Writes the graphs of every treatment that the baseline and another side have stacks of.
   *
   * @param page the file of the comparison's page
   * @return the section that lists them; empty where there are none
   * @throws RunException if they cannot be written
   */
  public static Optional<Section> write(RunComparison found, Path page) {
    String name = String.valueOf(page.getFileName()).replaceFirst("\\.html$", "") + "-flames";
    FlameComparison flames = new FlameComparison(page.resolveSibling(name));
    Side baseline = found.sides().get(0);
    List<Map<String, String>> treatments = new TreatmentTrials(baseline.runs().get(0)).treatments();
    try {
      for (int t = 0; t < treatments.size(); t++) {
        Map<String, Stacks> before = stacks(baseline, treatments.get(t));
        for (int side = 1; side < found.sides().size(); side++) {
          Map<String, Stacks> after = stacks(found.sides().get(side), treatments.get(t));
          for (Map.Entry<String, Stacks> what : before.entrySet()) {
            Stacks other = after.get(what.getKey());
            if (other != null) {
              flames.pair(t, treatments.get(t), side, what.getKey(), what.getValue(), other);
            }
          }
        }
      }
    } catch (IOException failure) {
      throw new RunException(
          "The flame graphs cannot be written to %s (%s); make room on the disk."
              .formatted(flames.folder, failure.getMessage()),
          failure);
    }
    return flames.section();
  }

  private Optional<Section> section() {
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Section(
            "flames",
            "Flame graphs side by side",
            "Of all valid trials together. In the graph of the difference the widths are B's; red"
                + " is what B has more of than A in the same time, blue what it has less of, yellow"
                + " what A has not at all. In a closed loop both may have used all of the machine:"
                + " then look at shares, and at CPU time of a record above."
                + (left == 0 ? "" : " %d more are not drawn.".formatted(left)),
            List.of(
                Figure.of(
                    "One row a treatment and role",
                    Table.ofWords(
                        List.of("treatment", "version", "of", "beside each other", "difference"),
                        rows)))));
  }

  /** What the processes of one role were seen doing. */
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
      // Roots at the top, which the halves of the page show first.
      FlameGraph graph = new FlameGraph(new Arguments("--inverted", "--title", title));
      graph.parseCollapsed(new StringReader(text.toString()));
      return graph;
    }
  }

  /** By role and subject, such as {@code nodes cpu}. */
  private static Map<String, Stacks> stacks(Side side, Map<String, String> levels)
      throws IOException {
    Map<String, Stacks> all = new TreeMap<>();
    for (RunRecord run : side.runs()) {
      for (TrialRecord trial : run.counting()) {
        if (trial.levels().equals(levels) && trial.outcome() == Outcome.OK) {
          Map<String, Stacks> ofTrial = new TreeMap<>();
          for (Artefact artefact : trial.artefacts()) {
            Path file = run.folder().file(artefact.file());
            if (artefact.kind().equals(STACKS) && Files.isRegularFile(file)) {
              Stacks stacks = all.computeIfAbsent(key(artefact), key -> new Stacks());
              stacks.add(file);
              ofTrial.put(key(artefact), stacks);
            }
          }
          ofTrial.values().forEach(stacks -> stacks.seconds += trial.counts().seconds());
        }
      }
    }
    return all;
  }

  private static String key(Artefact artefact) {
    String file = artefact.file();
    String subject =
        file.substring(file.lastIndexOf('-') + 1).replaceFirst("\\" + SUFFIX + "$", "");
    return artefact.process().replaceFirst("-\\d+$", "s") + " " + subject;
  }

  private void pair(
      int treatment, Map<String, String> levels, int side, String what, Stacks a, Stacks b)
      throws IOException {
    if (rows.size() == MOST_PAGES) {
      left++;
      return;
    }
    Files.createDirectories(folder);
    String letter = RunComparison.letter(side);
    String label = Labels.of(levels, "the treatment");
    String base = "%d-%s-%s".formatted(treatment + 1, what.replace(' ', '-'), letter);
    String titleA = "A: %s, %s".formatted(what, label);
    String titleB = "%s: %s, %s".formatted(letter, what, label);
    FlameGraph difference =
        b.over(b.seconds, "%s against A: %s, %s".formatted(letter, what, label));
    difference.diff(a.over(b.seconds, titleA));
    write(base + "-a.html", a.over(b.seconds, titleA));
    write(base + "-b.html", b.over(b.seconds, titleB));
    write(base + "-difference.html", difference);
    Files.writeString(folder.resolve(base + ".html"), beside(base, label + ": " + what));
    String links = folder.getFileName() + "/" + base;
    rows.add(List.of(label, letter, what, links + ".html", links + "-difference.html"));
  }

  private void write(String name, FlameGraph graph) throws IOException {
    try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
      graph.dump(out);
    }
  }

  private static String beside(String base, String title) {
    return """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><title>Flame graphs side by side</title>
    <style>
    body { margin: 0; font-family: sans-serif; display: grid; grid-template-columns: 1fr 1fr; height: 100vh; grid-template-rows: auto 1fr 1fr; }
    h1 { font-size: 1rem; margin: .5rem 1rem; grid-column: 1 / 3; }
    iframe { border: 1px solid #888; width: 100%%; height: 100%%; box-sizing: border-box; }
    iframe.wide { grid-column: 1 / 3; }
    </style></head><body>
    <h1>%1$s</h1>
    <iframe src="%2$s-a.html" title="A"></iframe>
    <iframe src="%2$s-b.html" title="B"></iframe>
    <iframe class="wide" src="%2$s-difference.html" title="What B has more or less of"></iframe>
    </body></html>
    """
        .formatted(Html.text(title), base);
  }
}
