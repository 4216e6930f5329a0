package io.pyrometer.results.page;

import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.CpuLog.Interval;
import io.pyrometer.journal.CpuLog.What;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.Phases;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.TimeChart;
import io.pyrometer.report.chart.TimeChart.TimeLine;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Everything that a run's folder holds of one trial, with all its attempts. It is written on
 * demand, into the run's folder so that its links to artefacts hold: a page for each of ten
 * thousand trials would be read by nobody.
 */
public final class TrialPage {
  private final RunRecord run;
  private final List<TrialRecord> attempts;
  private final TrialRecord counting;

  TrialPage(RunRecord run, List<TrialRecord> attempts) {
    this.run = run;
    this.attempts = attempts;
    this.counting = Attempts.selectedAttempts(attempts).get(0);
  }

  /**
   * Writes the page into the run's folder.
   *
   * @param id of the trial, or its number in the plan, from 1
   * @return the file, {@code trial-ID.html}
   * @throws RunException if the run has no finished trial of that name, or the page cannot be
   *     written
   */
  public static Path write(RunFolder folder, String id) {
    RunRecord run = RunRecord.load(folder);
    List<TrialRecord> attempts = attempts(run, id);
    return RunReport.write(
        new TrialPage(run, attempts).page(),
        folder.file("trial-" + attempts.get(0).id() + ".html"));
  }

  /** All attempts at a trial, the first one first. */
  public static List<TrialRecord> attempts(RunRecord run, String id) {
    List<TrialRecord> attempts =
        run.finished().stream()
            .filter(
                trial -> trial.id().equals(id) || String.valueOf(trial.ordinal() + 1).equals(id))
            .toList();
    if (attempts.isEmpty()) {
      throw RunException.of(
          "The run %s has no finished trial '%s'; results.csv in its folder names them all%s.",
          run.folder().path().getFileName(),
          id,
          run.finished().isEmpty() ? "" : ", such as '%s'".formatted(run.finished().get(0).id()));
    }
    return attempts;
  }

  Page page() {
    List<Section> sections = new ArrayList<>();
    sections.add(attemptsSection());
    throughput().ifPresent(sections::add);
    LatencyOverTime.of(run, counting).ifPresent(sections::add);
    cpu().ifPresent(sections::add);
    sections.add(figures());
    sections.add(validity());
    sections.add(files());
    sections.add(
        Texts.section(
            "trial.settings",
            new MetricTable<Map.Entry<String, String>>()
                .text("setting", Map.Entry::getKey)
                .text("value", Map.Entry::getValue)
                .figure(
                    Texts.of("trial.configuration"),
                    counting.configuration().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .toList())));
    String folder = run.folder().path().toString();
    return new Page(
        run.plan().name() + " · " + counting.id(),
        Texts.of("trial.question", counting.id(), counting.label(), counting.block() + 1),
        Texts.of("trial.about", attempts.get(0).started()),
        attempts.stream().map(this::finding).toList(),
        sections,
        List.of(
            new Page.Command(
                "Regenerate this page",
                "./pyrometer report %s --trial %s".formatted(folder, counting.id()))));
  }

  private boolean counts(TrialRecord trial) {
    return trial.attempt() == counting.attempt();
  }

  private Finding finding(TrialRecord trial) {
    String marks = Attempts.marks(trial);
    String id = counts(trial) ? "trial.attempt-counts" : "trial.attempt-does-not-count";
    Finding finding =
        trial.outcome() != Outcome.OK
            ? Finding.warning(id)
            : marks.isEmpty() ? Finding.info(id) : Finding.notice(id);
    return finding
        .with("attempt", String.valueOf(trial.attempt()))
        .with("rate", trial.throughput().map(Value::rate))
        .with("failure", trial.why().map(why -> Value.name(why.replaceFirst("\\.$", ""))))
        .with("marks", Optional.of(marks).filter(text -> !text.isEmpty()).map(Value::name))
        .with("why", counts(trial) ? "" : whyNot(trial));
  }

  private String whyNot(TrialRecord trial) {
    return Attempts.whyNot(trial, counting);
  }

  private Section attemptsSection() {
    List<Figure> figures = new ArrayList<>();
    figures.add(
        new MetricTable<TrialRecord>()
            .text("attempt", trial -> String.valueOf(trial.attempt()))
            .text("counts", trial -> counts(trial) ? "yes" : "no: " + whyNot(trial))
            .text("outcome", trial -> trial.outcome().name().toLowerCase(Locale.ROOT))
            .text("begun", TrialRecord::started)
            .text("end of warm-up", trial -> trial.timeline().warmUp().method())
            .formatted("set-up", seconds(Phases::setUp))
            .formatted("warm-up", seconds(Phases::warmUp))
            .formatted("measured", seconds(Phases::measure))
            .formatted("verified", seconds(Phases::verify))
            .formatted("torn down", seconds(Phases::tearDown))
            .count("calls", trial -> trial.counts().calls())
            .count("failed calls", trial -> trial.counts().failedCalls())
            .figure(Texts.of("trial.attempts.table"), attempts));
    List<String> errors = attempts.stream().flatMap(t -> t.counts().errors().stream()).toList();
    if (!errors.isEmpty()) {
      figures.add(
          new MetricTable<String>()
              .text("cause", Function.identity())
              .figure("Causes of failed calls", errors));
    }
    return Texts.section("trial.attempts", "", figures);
  }

  private static Function<TrialRecord, String> seconds(ToDoubleFunction<Phases> of) {
    return trial -> Numbers.fixed(of.applyAsDouble(trial.timeline().phases()), 2);
  }

  private Optional<Section> throughput() {
    List<TimeLine> lines =
        attempts.stream()
            .filter(trial -> !trial.timeline().samples().isEmpty())
            .map(trial -> RunPage.line(trial, "attempt " + trial.attempt()))
            .toList();
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Texts.section(
                "run.time",
                TimeChart.throughput(Texts.of("trial.time.chart"), "records/s", lines)));
  }

  private Optional<Section> cpu() {
    Map<String, List<Interval>> byProcess = new LinkedHashMap<>();
    try {
      for (Interval interval : CpuLog.of(run.folder(), counting).orElse(List.of())) {
        if (interval.what() == What.USED || interval.what() == What.OTHERS) {
          String name =
              interval.what() == What.OTHERS
                  ? "other processes" + interval.ofHost()
                  : interval.process();
          ListsByKey.add(byProcess, name, interval);
        }
      }
    } catch (IOException unreadable) {
      byProcess.clear();
    }
    return byProcess.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Texts.section(
                "trial.cpu",
                TimeChart.seconds(
                    Texts.of("trial.cpu.chart"),
                    "processes",
                    List.of("Process", "Until s", "CPUs"),
                    byProcess.entrySet().stream()
                        .map(e -> line(e.getKey(), e.getValue()))
                        .toList())));
  }

  /** Each second's value stands at its end; the first one stands at the beginning as well. */
  private static TimeLine line(String name, List<Interval> intervals) {
    List<Double> cpus = new ArrayList<>();
    cpus.add(intervals.get(0).cpus());
    intervals.forEach(interval -> cpus.add(interval.cpus()));
    double seconds = intervals.get(intervals.size() - 1).to();
    return new TimeLine(name, cpus, intervals.size() / seconds, 0, true);
  }

  private Section figures() {
    return Texts.section(
        "trial.figures",
        new MetricTable<Map.Entry<String, Metric>>()
            .text("metric", Map.Entry::getKey)
            .formatted("value", metric -> Numbers.shorten(metric.getValue().value()))
            .text("unit", metric -> metric.getValue().unit())
            .figure("All metrics", List.copyOf(counting.metrics().entrySet())));
  }

  private Section validity() {
    record Checked(TrialRecord trial, Check check) {}
    return Texts.section(
        "trial.validity",
        new MetricTable<Checked>()
            .text("attempt", each -> String.valueOf(each.trial().attempt()))
            .text("check", each -> each.check().words())
            .text("marked", each -> each.check().disturbed() ? "disturbed or limited" : "no")
            .formatted("value", each -> Numbers.shorten(each.check().value()))
            .formatted("limit", each -> Numbers.shorten(each.check().limit()))
            .text("unit", each -> each.check().unit())
            .figure(
                Texts.of("trial.validity.table"),
                attempts.stream()
                    .flatMap(t -> t.validity().stream().map(check -> new Checked(t, check)))
                    .toList()));
  }

  private Section files() {
    List<List<String>> rows = new ArrayList<>();
    for (TrialRecord trial : attempts) {
      for (TrialRecord.Artefact artefact : trial.artefacts()) {
        String attempt = String.valueOf(trial.attempt());
        rows.add(List.of(attempt, artefact.kind(), artefact.process(), artefact.file()));
      }
    }
    logs().forEach(log -> rows.add(List.of("block", "log", process(log), "logs/" + log)));
    return Texts.section(
        "trial.files",
        Figure.of(
            "Artefacts and logs",
            Table.ofWords(List.of("of attempt", "kind", "process", "file"), rows)));
  }

  private static String process(String log) {
    return log.replaceFirst("^block-\\d+-start-\\d+-", "").replaceFirst("\\.log$", "");
  }

  private String prefix() {
    return "block-%d-start-".formatted(counting.block() + 1);
  }

  /** The names of the logs of the processes of its block, of every start. */
  private List<String> logs() {
    try (Stream<Path> files = Files.list(run.folder().file("logs"))) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.startsWith(prefix()))
          .sorted()
          .toList();
    } catch (IOException absent) {
      return List.of();
    }
  }
}
