package io.pyrometer.scenario;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;

/** The commands of scenarios to workers, and their answers. */
public final class ScenarioMessages {
  /** The job of all scenarios. */
  public static final Job JOB = Job.of("scenario");

  private ScenarioMessages() {}

  /** The content of a command. */
  public sealed interface Content {}

  /** A command with this content, named after its type. */
  public static Command.OfKind command(Content content) {
    return Command.OfKind.of(JOB, content.getClass().getSimpleName(), content);
  }

  /**
   * Take a role in a scenario's trial and listen for the other processes. The first service, which
   * is told first and alone, creates what the scenario needs in the grid. Answer: {@link
   * ScenarioReady}.
   *
   * @param index of the process among those of its role
   * @param address of the worker's host at which the others reach it
   * @param folder where the process writes its log of spans
   */
  public record PrepareScenario(
      TrialSpec trial, ScenarioRole role, int index, String address, String folder)
      implements Content {

    /**
     * The name of the log in the folder. Each trial has a file of its own, because a thread of the
     * trial before may still write to its own.
     */
    public String log() {
      return trial.id() + "-" + role.process(index) + ".spans";
    }
  }

  /**
   * Connect to the other processes of the scenario. Answer: {@link Answer.Done}, once every
   * connection that this process opens is open.
   */
  public record ConnectScenario(List<ScenarioPeer> peers) implements Content {}

  /**
   * Compare this process's clock with that of every process it is connected to, over those
   * connections. Answer: {@link ClocksCompared}.
   *
   * @param questions to each of them; the answer with the lowest delay counts
   */
  public record CompareClocks(int questions) implements Content {}

  /**
   * Another process of a scenario.
   *
   * @param index among the processes of its role
   * @param address of its host
   * @param port where it listens
   */
  public record ScenarioPeer(ScenarioRole role, int index, String address, int port) {

    /** Its name, such as {@code mock-0}. */
    public String name() {
      return role.process(index);
    }
  }

  /** Report what was recorded in the trial of a scenario. Answer: {@link ScenarioRecorded}. */
  public record CollectScenario() implements Content {}

  /**
   * A process of a scenario listens.
   *
   * @param port where the other processes connect
   * @param configuration read back from the grid; empty where the process does not use it
   */
  public record ScenarioReady(int port, Map<String, String> configuration) {}

  /** The clocks of other processes of a scenario, relative to the one that compared them. */
  public record ClocksCompared(List<ClockComparison> clocks) {}

  /**
   * The steady clock of another process against one's own: what it said, less the middle of the way
   * there and back of the fastest exchange.
   *
   * @param process whose clock, such as {@code service-0}
   * @param offsetNanos how far its clock is ahead
   * @param errorNanos half the time of that exchange, which bounds the error of the offset
   */
  public record ClockComparison(String process, long offsetNanos, long errorNanos) {}

  /**
   * Record that one process of a scenario made of the requests whose intended start was in the
   * measured part.
   *
   * @param timers by name, nanoseconds: HdrHistogram compressed, Base64
   * @param log path of its {@linkplain SpanLog log of spans} on its host
   * @param logBytes of the log
   * @param inFlight of a client: requests that had no outcome, at each tenth of a second since
   *     Begin
   * @param errors the first few different causes of failures, one sentence each
   */
  public record ScenarioRecorded(
      Map<String, String> timers,
      String log,
      long logBytes,
      List<Long> inFlight,
      List<String> errors) {}
}
