package io.pyrometer.results.page;

import static io.pyrometer.protocol.ProbeKind.KILL;
import static io.pyrometer.protocol.ProbeKind.ORDER;
import static io.pyrometer.protocol.ProbeKind.READ;
import static io.pyrometer.protocol.ProbeKind.STOP;

import io.pyrometer.analysis.Figures;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.PercentileChart;
import io.pyrometer.report.chart.PercentileChart.PercentileLine;
import io.pyrometer.report.chart.Ranked;
import io.pyrometer.report.chart.TimeChart;
import io.pyrometer.report.chart.TimeChart.TimeLine;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import io.pyrometer.results.analyses.RatioReasons;
import io.pyrometer.results.analyses.RunAnalyses;
import io.pyrometer.results.ranking.Answer;
import io.pyrometer.results.ranking.Mark;
import io.pyrometer.results.ranking.OperationLatency;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.RankingTable;
import io.pyrometer.results.ranking.TreatmentNotes;
import io.pyrometer.results.ranking.TreatmentNotes.Unequal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** A run's report: the answer first, then what it rests on. */
public final class RunPage {
  /** More small charts than this are a wall. */
  private static final int MOST_TIME_LINES = 36;

  private final RunRecord run;
  private final List<Section> sections = new ArrayList<>();

  private RunPage(RunRecord run) {
    this.run = run;
  }

  public static Page of(RunReport report) {
    RunRecord run = report.run();
    List<Ranking> rankings = report.rankings();
    RunPage page = new RunPage(run);
    run.experiment().analyses().forEach(asked -> page.analysis(report, asked));
    RunAnalyses.further(run).forEach(asked -> page.analysis(report, asked));
    page.add("run.time", page.time());
    rankings.forEach(page::latency);
    LatencyOverTime.of(run, rankings).ifPresent(page.sections::add);
    page.add("run.guarantees", List.of(guarantees(rankings)));
    page.add("run.equal-terms", filled(equalTerms(run)));
    page.add("run.validity", List.of(validity(run)));
    page.add("run.telemetry", filled(files(run), unavailable(run)));
    page.add("run.environment", environment(run));
    Optional<Page.Recommendation> recommendation = AnswerText.recommendation(report.answer());
    Page made =
        new Page(
            run.plan().name(),
            run.plan().question(),
            page.about(),
            recommendation.isPresent() ? notes(report) : report.findings(),
            page.sections,
            page.again());
    return recommendation.map(made::with).orElse(made);
  }

  /** Adds a section; none without figures. */
  private void add(String key, List<Figure> figures) {
    if (!figures.isEmpty()) {
      sections.add(Texts.section(key, Texts.of(key + ".lead"), figures));
    }
  }

  /** The findings that the recommendation does not show. */
  private static List<Finding> notes(RunReport report) {
    Answer answer = report.answer();
    return report.findings().stream()
        .filter(finding -> !Set.of("answer", "next").contains(finding.category()))
        .filter(finding -> !answer.loweredBy().contains(finding))
        .filter(finding -> !answer.validFor().contains(finding))
        .toList();
  }

  private void analysis(RunReport report, String asked) {
    if (asked.equals(AnalysisDeclaration.RANKING)) {
      report.rankings().stream()
          .filter(r -> !r.rows().isEmpty())
          .forEach(ranking -> sections.add(job(ranking, report.reasons())));
    } else {
      sections.addAll(RunAnalyses.sections(report.analyses(), asked));
    }
  }

  private String about() {
    return String.format(
        Locale.ROOT,
        "%s, %s, %d cores · %d of %d trials in %d %s · begun %s",
        run.plan().products(),
        run.environment().cpu(),
        run.environment().cores(),
        run.counting().size(),
        run.plan().trials().size(),
        run.blocksSeen(),
        run.blocksSeen() == 1 ? "block" : "blocks",
        run.environment().taken());
  }

  private List<Page.Command> again() {
    String folder = run.folder().path().toString();
    List<Page.Command> commands = new ArrayList<>();
    commands.add(
        new Page.Command(
            "Run it again",
            "./pyrometer "
                + String.join(" ", run.plan().argumentsWith(folder + "/experiment.yaml"))));
    if (!run.whole()) {
      commands.add(new Page.Command("Resume it", "./pyrometer resume " + folder));
    }
    return commands;
  }

  private static Section job(Ranking ranking, RatioReasons reasons) {
    List<Figure> figures =
        new ArrayList<>(ranking.openLoop() ? p99(ranking) : List.of(throughput(ranking)));
    figures.add(RankingTable.of(ranking));
    reasons.figure(ranking).ifPresent(figures::add);
    return new Section(
        id(ranking),
        RankingTable.title(ranking),
        Texts.of(ranking.openLoop() ? "run.open-loop" : "run.closed-loop"),
        figures);
  }

  private static String id(Ranking ranking) {
    String slug = ranking.part().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String job = ranking.job().id() + (slug.isEmpty() ? "" : "-" + slug);
    return ranking.openLoop()
        ? job + "-" + Figures.plain(ranking.rate()).replaceAll("[^0-9]+", "-")
        : job;
  }

  private static String note(Ranking.Row row) {
    List<String> notes = new ArrayList<>(row.marks().stream().map(Mark::words).toList());
    row.offered()
        .filter(offered -> !offered.held())
        .ifPresent(offered -> notes.add("reached %s of the rate".formatted(offered.share())));
    return String.join("; ", notes);
  }

  private static Figure throughput(Ranking ranking) {
    return IntervalChart.points(
        Texts.of("run.throughput", ranking.baseline()),
        "records/s",
        ranking.rows().stream()
            .map(row -> new Ranked(row.label(), row.throughput(), row.ratio(), note(row)))
            .toList());
  }

  /** A chart an operation; where each treatment has but one, they share a chart. */
  private static List<Figure> p99(Ranking ranking) {
    List<Figure> charts = new ArrayList<>();
    byOperation(
            ranking,
            (row, latency) ->
                latency
                    .of(LatencyStatistic.P99)
                    .map(p99 -> p99.times(1e-3, "ms"))
                    .map(p99 -> new Ranked(row.label(), p99, latency.ratio(), note(row))))
        .forEach(
            (operation, rows) ->
                charts.add(
                    IntervalChart.points(
                        Texts.of("run.p99", operation, ranking.baseline()), "ms", rows)));
    return charts;
  }

  private static <T> Map<String, List<T>> byOperation(
      Ranking ranking, BiFunction<Ranking.Row, OperationLatency, Optional<T>> drawn) {
    Map<String, List<T>> byOperation = new TreeMap<>();
    for (Ranking.Row row : ranking.rows()) {
      for (OperationLatency latency : row.latencies()) {
        String operation = ranking.severalOperations() ? latency.operation() : "a call";
        drawn.apply(row, latency).ifPresent(of -> ListsByKey.add(byOperation, operation, of));
      }
    }
    return byOperation;
  }

  private List<Figure> time() {
    List<TrialRecord> sampled = run.counting(trial -> !trial.timeline().samples().isEmpty());
    String caption =
        sampled.size() > MOST_TIME_LINES
            ? Texts.of("run.time.first", MOST_TIME_LINES, sampled.size())
            : Texts.of("run.time.chart");
    List<TimeLine> lines = sampled.stream().limit(MOST_TIME_LINES).map(RunPage::line).toList();
    return filled(TimeChart.throughput(caption, "records/s", lines));
  }

  private static List<Figure> filled(Figure... figures) {
    return Stream.of(figures).filter(figure -> !figure.table().rows().isEmpty()).toList();
  }

  private static TimeLine line(TrialRecord trial) {
    return new TimeLine(
        trial.label() + ", block " + (trial.block() + 1),
        trial.timeline().samples().stream().map(n -> n * 10.0).toList(),
        10,
        trial.timeline().measuredFrom(),
        trial.timeline().warmUp().settled());
  }

  /** Percentile curves, a chart an operation, and all percentiles with their intervals. */
  private void latency(Ranking ranking) {
    List<Figure> figures = new ArrayList<>();
    byOperation(
            ranking,
            (row, latency) ->
                Optional.of(new PercentileLine(row.label(), latency.curve()))
                    .filter(line -> latency.curve().size() > 1))
        .forEach(
            (operation, lines) ->
                figures.add(
                    PercentileChart.of(
                        Texts.of("run.latency.curve", operation),
                        lines.stream()
                            .sorted(Comparator.comparing(PercentileLine::name))
                            .toList())));
    figures.addAll(
        filled(Figure.of(Texts.of("run.latency.table"), RankingTable.latencies(ranking))));
    if (!figures.isEmpty()) {
      sections.add(
          new Section(
              "latency-" + id(ranking),
              "Latency: " + RankingTable.title(ranking),
              Texts.of(ranking.openLoop() ? "run.latency.open" : "run.latency.closed"),
              figures));
    }
  }

  private static Figure guarantees(List<Ranking> rankings) {
    record RankedRow(Ranking ranking, Ranking.Row row) {}
    return new MetricTable<RankedRow>()
        .text("path", each -> each.row().label())
        .text("job", each -> Phrases.title(each.ranking().job()))
        .text("guarantees", each -> Phrases.promises(each.row().claimed()))
        .text("stale or lost keys", each -> each.row().probes().staleOrLost(ORDER))
        .text("stale reads", each -> each.row().probes().staleOrLost(READ))
        .text("after a kill", each -> each.row().probes().staleOrLost(KILL))
        .text("after a stop", each -> each.row().probes().staleOrLost(STOP))
        .figure(
            "Access paths",
            rankings.stream()
                .flatMap(of -> of.rows().stream().map(row -> new RankedRow(of, row)))
                .toList());
  }

  private static Figure equalTerms(RunRecord run) {
    return new MetricTable<Unequal>()
        .text("product", Unequal::product)
        .text("term", Unequal::text)
        .text("what stays unequal", Unequal::why)
        .figure("Unequal terms by product", TreatmentNotes.unequal(run.plan()));
  }

  private static Figure validity(RunRecord run) {
    Function<TrialRecord, Optional<String>> whyNot = run.whyNot();
    return Texts.<TrialRecord>table("run.validity")
        .text("trial", TrialRecord::id)
        .text("attempt", trial -> String.valueOf(trial.attempt()))
        .text("counts", trial -> whyNot.apply(trial).map(why -> "no: " + why).orElse("yes"))
        .text("outcome", trial -> Phrases.word(trial.outcome()))
        .text("records/s", trial -> trial.throughput().map(Numbers::shorten).orElse(Table.ABSENT))
        .text("warm-up", RunPage::settling)
        .text("verification", RunPage::checked)
        .text("marks", Attempts::marks)
        .figure("Trials in the order made", run.finished());
  }

  private static String settling(TrialRecord trial) {
    String settled = !trial.steadinessJudged() ? "not judged" : trial.timeline().warmUp().verdict();
    return "%s after %.1f s".formatted(settled, trial.timeline().warmUp().seconds());
  }

  private static String checked(TrialRecord trial) {
    if (trial.result().verification().isEmpty()) {
      return trial.why().orElse("not verified");
    }
    Verification check = trial.result().verification().get();
    return check.passed()
        ? "passed: " + check.found()
        : "failed: expected " + check.expected() + ", found " + check.found();
  }

  private static List<Figure> environment(RunRecord run) {
    Environment e = run.environment();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("CPU", "%s, %d cores".formatted(e.cpu(), e.cores())));
    rows.add(List.of("memory", Numbers.shorten(e.memoryBytes() / (double) (1L << 30)) + " GiB"));
    rows.add(List.of("system", e.operatingSystem() + ", " + e.kernel()));
    rows.add(List.of("JVM", e.jvm()));
    e.versions().forEach((what, version) -> rows.add(List.of(what, version)));
    rows.add(List.of("commit", e.commit().isEmpty() ? "unknown" : e.commit()));
    e.workerFlags().forEach((kind, flags) -> rows.add(List.of(kind, String.join(" ", flags))));
    rows.add(List.of("seed", String.valueOf(run.plan().seed())));
    Map<String, String> configuration =
        run.finished().stream()
            .map(TrialRecord::configuration)
            .filter(each -> !each.isEmpty())
            .findFirst()
            .orElse(Map.of());
    return List.of(
        Figure.of("Machine and versions", Table.ofWords(List.of("item", "value"), rows)),
        new MetricTable<Map.Entry<String, String>>()
            .text("setting", Map.Entry::getKey)
            .text("value", Map.Entry::getValue)
            .figure(
                Texts.of("run.configuration"),
                List.copyOf(new TreeMap<>(configuration).entrySet())));
  }

  private static Figure files(RunRecord run) {
    record File(TrialRecord trial, TrialRecord.Artefact artefact) {}
    return new MetricTable<File>()
        .text("trial", f -> f.trial().label() + ", block " + (f.trial().block() + 1))
        .text("kind", f -> f.artefact().kind())
        .text("of", f -> f.artefact().process())
        .text("file", f -> f.artefact().file())
        .figure(
            "Artefacts",
            run.finished().stream()
                .flatMap(t -> t.artefacts().stream().map(artefact -> new File(t, artefact)))
                .filter(f -> !f.artefact().kind().equals(TrialRecord.Artefact.HISTOGRAM))
                .toList());
  }

  private static Figure unavailable(RunRecord run) {
    return new MetricTable<String>()
        .text("reason", Function.identity())
        .figure(
            "Telemetry that could not record",
            run.finished().stream()
                .map(trial -> trial.configuration().get(TrialRecord.UNAVAILABLE))
                .filter(Objects::nonNull)
                .distinct()
                .toList());
  }
}
