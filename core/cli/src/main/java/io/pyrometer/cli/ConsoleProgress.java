package io.pyrometer.cli;

import io.pyrometer.analysis.Figures;
import io.pyrometer.coordinator.run.Progress;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.ranking.TreatmentProbes;
import java.io.PrintWriter;
import java.util.List;

/** One line that follows the run in a terminal; elsewhere a line a block. */
final class ConsoleProgress implements Progress {
  private static final long LEAST_NANOS = 150_000_000;
  private static final String CLEAR = "\r\033[K";

  private final PrintWriter out;
  private final boolean terminal;
  private final int blocks;
  private long lastNanos;
  private Now last = new Now(0, 0, 0, 0, "", "", 0, 0);

  ConsoleProgress(PrintWriter out, boolean terminal, int blocks) {
    this.out = out;
    this.terminal = terminal;
    this.blocks = blocks;
  }

  @Override
  public void now(Now now) {
    last = now;
    long nanos = System.nanoTime();
    if (!terminal || nanos - lastNanos < LEAST_NANOS) {
      return;
    }
    lastNanos = nanos;
    String rate =
        now.recordsPerSecond() > 0
            ? ", " + Numbers.shorten(now.recordsPerSecond()) + " records/s"
            : "";
    String line =
        "%s, %s left: %s, %s%s"
            .formatted(
                now.trial() > 0
                    ? "trial %d/%d, block %d".formatted(now.trial(), now.total(), now.block() + 1)
                    : "%d of %d trials made".formatted(now.done(), now.total()),
                Console.time(now.secondsLeft()),
                now.what(),
                now.phase(),
                rate);
    int most = Console.columns() - 1;
    out.print(CLEAR + (line.length() > most ? line.substring(0, most) : line));
    out.flush();
  }

  @Override
  public void note(String sentence) {
    clear();
    Console.say(out, sentence);
  }

  @Override
  public void trial(TrialRecord result) {
    boolean right = result.outcome() == TrialRecord.Outcome.OK;
    if (right && !result.disturbed()) {
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
    Console.say(
        out,
        "trial %d/%d: %s%s: %s%s%s"
            .formatted(
                result.ordinal() + 1,
                last.total(),
                what,
                again,
                outcome,
                result.why().orElse(""),
                marks.isEmpty() ? "" : " (" + marks + ")"));
  }

  @Override
  public void probe(ProbeResult result) {
    if (result.why().isPresent()) {
      note(TreatmentProbes.sentence(result));
    }
  }

  @Override
  public void block(int block, List<TrialRecord> soFar) {
    clear();
    out.println(
        "block %d%s: %s, %s left"
            .formatted(
                block + 1,
                // A search has further blocks that confirm what it found.
                block < blocks ? " of " + blocks : "",
                Figures.count(soFar.stream().filter(t -> t.block() == block).count(), "trial"),
                Console.time(last.secondsLeft())));
    out.flush();
  }

  void clear() {
    if (terminal) {
      out.print(CLEAR);
      out.flush();
    }
  }
}
