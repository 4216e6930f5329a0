package io.pyrometer.cli;

import io.pyrometer.coordinator.run.Progress;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.ranking.TreatmentProbes;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Function;

/** One line that follows the run in a terminal; a line a trial where there is none. */
final class ConsoleProgress implements Progress {
  private static final long LEAST_NANOS = 150_000_000;
  private static final String CLEAR = "\r\033[K";

  private final PrintWriter out;
  private final boolean terminal;
  private final int blocks;
  private final Function<List<TrialRecord>, RunRecord> record;
  private long lastNanos;
  private String lastStarting = "";
  private Now last = new Now(0, 0, 0, 0, "", "", 0, 0);

  /**
   * @param record the run with these trials finished
   */
  ConsoleProgress(
      PrintWriter out,
      boolean terminal,
      int blocks,
      Function<List<TrialRecord>, RunRecord> record) {
    this.out = out;
    this.terminal = terminal;
    this.blocks = blocks;
    this.record = record;
  }

  @Override
  public void now(Now now) {
    last = now;
    if (!terminal) {
      starting(now);
      return;
    }
    long nanos = System.nanoTime();
    if (nanos - lastNanos < LEAST_NANOS) {
      return;
    }
    lastNanos = nanos;
    String rate =
        now.recordsPerSecond() > 0
            ? ", " + Numbers.shorten(now.recordsPerSecond()) + " records/s"
            : "";
    String line =
        "%s, block %d: %s, %s%s, %s left"
            .formatted(
                now.trial() > 0
                    ? "trial %d/%d".formatted(now.trial(), now.total())
                    : "%d of %d trials made".formatted(now.done(), now.total()),
                now.block() + 1,
                now.what(),
                now.phase(),
                rate,
                Console.time(now.secondsLeft()));
    int most = Console.columns() - 1;
    out.print(CLEAR + (line.length() > most ? line.substring(0, most) : line));
    out.flush();
  }

  private void starting(Now now) {
    if (now.trial() == 0 && !now.what().equals(lastStarting)) {
      lastStarting = now.what();
      out.println(
          "%s: %s, %s left".formatted(now.what(), now.phase(), Console.time(now.secondsLeft())));
    }
  }

  @Override
  public void note(String sentence) {
    clear();
    out.println(Console.wrapped(sentence));
  }

  @Override
  public void trial(TrialRecord result) {
    boolean right = result.outcome() == TrialRecord.Outcome.OK;
    if (terminal && right) {
      return;
    }
    clear();
    String what = "%s, block %d".formatted(result.label(), result.block() + 1);
    String again = result.attempt() > 1 ? ", attempt " + result.attempt() : "";
    String marks = Attempts.marks(result);
    String outcome =
        result
            .throughput()
            .map(rate -> Numbers.shorten(rate) + " records/s")
            .orElse(result.outcome() == TrialRecord.Outcome.WRONG ? "wrong: " : "failed: ");
    out.println(
        Console.wrapped(
            "trial %d/%d: %s%s: %s%s%s"
                .formatted(
                    result.ordinal() + 1,
                    last.total(),
                    what,
                    again,
                    outcome,
                    result.why().orElse(""),
                    marks.isEmpty() ? "" : " (" + marks + ")")));
  }

  @Override
  public void probe(ProbeResult result) {
    if (!terminal || result.why().isPresent()) {
      note(TreatmentProbes.sentence(result));
    }
  }

  @Override
  public void block(int block, List<TrialRecord> soFar) {
    if (block != 0 || blocks == 1) {
      return;
    }
    clear();
    out.println(
        "After the first of %d blocks (one block: no confidence intervals):".formatted(blocks));
    Console.rankings(out, Rankings.of(record.apply(soFar)));
  }

  void clear() {
    if (terminal) {
      out.print(CLEAR);
      out.flush();
    }
  }
}
