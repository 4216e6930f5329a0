package io.pyrometer.results;

import io.pyrometer.analysis.Figures;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Evidence;
import io.pyrometer.protocol.ListsByKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.unit.IQuantity;
import org.openjdk.jmc.flightrecorder.CouldNotLoadRecordingException;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;
import org.openjdk.jmc.flightrecorder.rules.IResult;
import org.openjdk.jmc.flightrecorder.rules.IRule;
import org.openjdk.jmc.flightrecorder.rules.ResultToolkit;
import org.openjdk.jmc.flightrecorder.rules.RuleRegistry;
import org.openjdk.jmc.flightrecorder.rules.Severity;
import org.openjdk.jmc.flightrecorder.rules.TypedResult;
import org.openjdk.jmc.flightrecorder.rules.util.JfrRuleTopics;
import org.openjdk.jmc.flightrecorder.rules.util.RulesToolkit;

/**
 * What the rules of JDK Mission Control say of a run's flight recordings. Its warnings are risks:
 * its thresholds are those of any Java program, and no rule measures what its subject costs.
 */
public final class FlightRecordings {
  /** The kind of an artefact that is a flight recording. */
  public static final String KIND = "flight-recording";

  private static final String SOURCE = "https://openjdk.org/projects/jmc/";
  private static final String SERVER = "node";
  private static final int EVIDENCE = 3;

  /** Topics of the recording itself, of the machine, and of what profiles show better. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          JfrRuleTopics.RECORDING,
          JfrRuleTopics.PROCESSES,
          JfrRuleTopics.AGENT_INFORMATION,
          JfrRuleTopics.ENVIRONMENT_VARIABLES,
          JfrRuleTopics.SYSTEM_PROPERTIES,
          JfrRuleTopics.METHOD_PROFILING);

  private FlightRecordings() {}

  /** A recording, and whose it is. */
  record Recording(Path file, String process, String of) {
    boolean server() {
      return process.startsWith(SERVER);
    }
  }

  /** A rule's result for a recording. */
  private record Judged(Recording recording, IResult result) {
    double score() {
      return Optional.ofNullable(result.getResult(TypedResult.SCORE))
          .map(IQuantity::doubleValue)
          .orElse(result.getSeverity().getLimit());
    }

    Evidence evidence() {
      return new Evidence("score", "%.0f of 100".formatted(score()), recording.of());
    }

    Optional<String> text(String template) {
      return Optional.ofNullable(ResultToolkit.populateMessage(result, template, false))
          .map(text -> text.replaceAll("<[^>]+>", " ").replaceAll("\\s+", " ").strip())
          .filter(text -> !text.isEmpty());
    }
  }

  /**
   * Judges the recordings of the last trial of each treatment.
   *
   * @return empty where the run has no recordings
   * @throws RunException if a recording cannot be read
   */
  public static Optional<HealthReport> judge(RunRecord run) {
    Map<String, TrialRecord> last = new LinkedHashMap<>();
    for (TrialRecord trial : run.counting()) {
      if (trial.artefacts().stream().anyMatch(each -> each.kind().equals(KIND))) {
        last.put(trial.label(), trial);
      }
    }
    List<Recording> recordings = new ArrayList<>();
    last.forEach(
        (treatment, trial) -> {
          for (Artefact each : trial.artefacts()) {
            if (each.kind().equals(KIND)) {
              recordings.add(
                  new Recording(
                      run.folder().file(each.file()),
                      each.process(),
                      each.process() + ", " + treatment));
            }
          }
        });
    return recordings.isEmpty() ? Optional.empty() : Optional.of(judge(recordings));
  }

  static HealthReport judge(List<Recording> recordings) {
    Map<String, List<Judged>> warnings = new TreeMap<>();
    Set<String> healthy = new TreeSet<>();
    Map<String, String> notMade = new TreeMap<>();
    for (Recording recording : recordings) {
      for (Judged judged : judge(recording)) {
        String rule = judged.result().getRule().getName();
        Severity severity = judged.result().getSeverity();
        if (severity == Severity.WARNING) {
          ListsByKey.add(warnings, rule, judged);
        } else if (severity == Severity.OK || severity == Severity.INFO) {
          healthy.add(rule);
        } else {
          notMade.put(rule, "the recordings lack its events");
        }
      }
    }
    healthy.removeAll(warnings.keySet());
    notMade.keySet().removeAll(warnings.keySet());
    notMade.keySet().removeAll(healthy);
    List<Diagnosis> diagnoses =
        warnings.entrySet().stream()
            .map(entry -> diagnosis(entry.getKey(), entry.getValue()))
            .sorted(Comparator.comparing(Diagnosis::check))
            .toList();
    return new HealthReport(
        Figures.count(recordings.size(), "flight recording")
            + " by the rules of JDK Mission Control",
        0,
        (int) recordings.stream().filter(Recording::server).count(),
        List.of(),
        diagnoses,
        List.copyOf(healthy),
        notMade);
  }

  private static Diagnosis diagnosis(String rule, List<Judged> warnings) {
    List<Judged> worst =
        warnings.stream().sorted(Comparator.comparingDouble(Judged::score).reversed()).toList();
    Judged first = worst.get(0);
    IResult result = first.result();
    String symptom = first.text(result.getSummary()).orElse(rule + ".");
    return new Diagnosis(
        rule,
        HealthReport.Severity.RISK,
        symptom,
        Optional.empty(),
        0,
        worst.stream().limit(EVIDENCE).map(Judged::evidence).toList(),
        first.text(result.getExplanation()).orElse(symptom),
        first
            .text(result.getSolution())
            .orElse("Open the recording in JDK Mission Control: " + first.recording().file() + "."),
        List.of(),
        first.recording().server() ? HealthReport.Needs.SERVERS : HealthReport.Needs.CLIENTS,
        Optional.empty(),
        HealthReport.Comparison.NONE,
        SOURCE);
  }

  private static List<Judged> judge(Recording recording) {
    try {
      IItemCollection events = JfrLoaderToolkit.loadEvents(recording.file().toFile());
      List<IRule> rules =
          RuleRegistry.getRules().stream()
              .filter(rule -> !LEFT_OUT.contains(rule.getTopic()))
              .toList();
      List<Judged> judged = new ArrayList<>();
      for (Future<IResult> result :
          RulesToolkit.evaluateParallel(rules, events, null, 0).values()) {
        judged.add(new Judged(recording, result.get()));
      }
      return judged;
    } catch (IOException | CouldNotLoadRecordingException | ExecutionException e) {
      throw RunException.of(
          "The flight recording %s cannot be judged: %s.", recording.file(), e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RunException("Interrupted while flight recordings were judged.", e);
    }
  }
}
