package io.pyrometer.chaos;

import io.pyrometer.chaos.history.Isolation;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.TrialSpec;
import java.util.Map;
import java.util.Optional;

/** The commands of trials under faults to the agent, and its answers. */
public final class ChaosMessages {
  /** The job of all such trials. */
  public static final Job JOB = Job.of("chaos");

  private ChaosMessages() {}

  /** The content of a command. */
  public sealed interface Content {}

  /** A command with this content, named after its type. */
  public static Command.OfKind command(Content content) {
    return Command.OfKind.of(JOB, content.getClass().getSimpleName(), content);
  }

  /**
   * Create the data set. Answer: {@link Prepared}.
   *
   * @param folder where the agent writes the history
   */
  public record Prepare(TrialSpec trial, String folder) implements Content {}

  /** Read the clock, and see whether the grid has recovered. Answer: {@link Seen}. */
  public record Look(int servers) implements Content {}

  /**
   * To a server: take all but little of this JVM's heap for so long. Answer: {@link
   * io.pyrometer.protocol.Answer.Done}, at once.
   */
  public record FillHeap(double seconds) implements Content {}

  /** Change what the grid accepts. Answer: {@link io.pyrometer.protocol.Answer.Done}. */
  public record Accept(Accepted accepted) implements Content {}

  /** Operations that a grid accepts. */
  public enum Accepted {
    ALL,
    READS,
    NOTHING
  }

  /** To a server: read the clock of this JVM. Answer: {@link Clock}. */
  public record ReadClock() implements Content {}

  /**
   * @param millis since 1970
   */
  public record Clock(long millis) {}

  /** End all calls. Answer: {@link Recorded}. */
  public record Collect() implements Content {}

  /**
   * The data set is there.
   *
   * @param isolation of transactions, which is promised; empty for single operations
   * @param promise of single operations
   */
  public record Prepared(
      Optional<Isolation> isolation, Promise promise, Map<String, String> configuration) {}

  /**
   * @param whole whether all servers are there and hold all copies
   * @param nanos of the clock of the history
   */
  public record Seen(boolean whole, long nanos) {}

  /**
   * Where the {@link io.pyrometer.chaos.history.HistoryFile} of the trial is on the agent's host.
   */
  public record Recorded(String log, long logBytes) {}
}
