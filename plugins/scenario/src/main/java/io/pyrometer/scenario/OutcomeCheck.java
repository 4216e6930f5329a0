package io.pyrometer.scenario;

import io.pyrometer.protocol.message.Messages;
import io.pyrometer.scenario.ScenarioLogs.ProcessLog;
import io.pyrometer.scenario.ScenarioLogs.Trace;
import io.pyrometer.scenario.ScenarioLogs.Traced;
import io.pyrometer.scenario.SpanLog.Span;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Verification that every request ended in exactly one outcome and that no message was lost, from
 * the logs of both ends of every connection.
 *
 * <p>Checked of each request: it was sent once and ended once; every message that one process
 * logged as sent was taken up as often by the process that it was sent to; a mock gave as many
 * answers as it was asked for; every answer that a service took up was added to the state, found
 * none, or failed; and a completed request has all its answers in the state, each once.
 *
 * <p>Of a request that was under way when a process was killed on purpose, and of no other,
 * messages to and from that process may be missing, but not the request's end. Where a mock drops
 * answers on purpose, exactly those must be found to be lost: they are then no problem, but
 * evidence that the check finds losses.
 *
 * @param requests that were sent, warm-up included
 * @param outcomes of the requests that count
 * @param counts of other events of the requests that count
 * @param problems each a sentence; empty where everything holds
 */
public record OutcomeCheck(
    long requests, Map<Outcome, Long> outcomes, Map<String, Long> counts, List<String> problems) {
  /** A state that lacks what the grid had acknowledged before the read began. */
  public static final String STALE_READS = "stale reads";

  /** Answers that arrived after their request had ended. */
  public static final String LATE_ANSWERS = "late answers";

  /** Answers that arrived before the state of their request was visible. */
  public static final String RACES = "answers that lost a race";

  /** Replies to requests that had ended. */
  public static final String DUPLICATES = "replies to ended requests";

  /** Requests that another service took over. */
  public static final String ADOPTED = "requests of a killed service";

  /** Answers that were dropped on purpose and found to be lost. */
  public static final String PLANTED = "losses planted and found";

  /** Name of what an answer goes to when a service adds it to its state. */
  private static final String GRID = "the grid";

  /** The last record of a killed process may be so much older than its end. */
  private static final long KILL_MARGIN_NANOS = 100_000_000;

  /**
   * Checks every request in the logs.
   *
   * @param dropped how many answers the mocks dropped on purpose, all of them together
   */
  public static OutcomeCheck of(ScenarioLogs logs, int dropped) {
    return new Checking(logs, dropped).done();
  }

  /** The requests that count and ended so. */
  public long count(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0L);
  }

  /** The requests that count. */
  public long measured() {
    return outcomes.values().stream().mapToLong(Long::longValue).sum();
  }

  private static final class Checking {
    private final ScenarioLogs logs;
    private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    private final Map<String, Long> counts = new LinkedHashMap<>();
    private final Map<String, Long> problems = new LinkedHashMap<>();
    private final Map<String, Long> lostAnswers = new LinkedHashMap<>();
    private final Map<String, Long> examples = new LinkedHashMap<>();

    /** The last record of each killed process; of one whose log cannot be read, the least value. */
    private final Map<String, Long> killedAt;

    private final int dropped;
    private long requests;

    Checking(ScenarioLogs logs, int dropped) {
      this.logs = logs;
      this.dropped = dropped;
      this.killedAt =
          logs.processes().stream()
              .filter(ProcessLog::killed)
              .collect(Collectors.toMap(ProcessLog::name, Checking::end));
      for (String name : List.of(RACES, STALE_READS, LATE_ANSWERS, DUPLICATES, ADOPTED)) {
        counts.put(name, 0L);
      }
    }

    private static long end(ProcessLog log) {
      return log.log().spans().stream()
          .mapToLong(span -> log.onClientClock(span).to())
          .max()
          .orElse(Long.MIN_VALUE);
    }

    OutcomeCheck done() {
      logs.traces().values().forEach(this::check);
      long lost = lostAnswers.values().stream().mapToLong(Long::longValue).sum();
      List<String> sentences = sentences(problems);
      if (dropped > 0) {
        counts.put(PLANTED, Math.min(lost, dropped));
      }
      if (lost != dropped) {
        sentences.addAll(sentences(lostAnswers));
        if (dropped > 0) {
          sentences.add(Messages.format("scenario.verify-dropped").formatted(dropped, lost));
        }
      }
      return new OutcomeCheck(requests, outcomes, counts, sentences);
    }

    private List<String> sentences(Map<String, Long> timesOf) {
      List<String> sentences = new ArrayList<>();
      timesOf.forEach(
          (what, times) ->
              sentences.add(
                  String.format(
                      Locale.ROOT,
                      "%s: %,d (such as request %d)",
                      what,
                      times,
                      examples.get(what))));
      return sentences;
    }

    private void problem(String what, Trace trace) {
      note(problems, what, trace);
    }

    private void note(Map<String, Long> times, String what, Trace trace) {
      times.merge(what, 1L, Long::sum);
      examples.putIfAbsent(what, trace.request());
    }

    private void happened(String what, long times, Trace trace) {
      if (trace.measured()) {
        counts.merge(what, times, Long::sum);
      }
    }

    private void check(Trace trace) {
      long sent = trace.all(SpanKind.SENT).count();
      long ended = trace.all(SpanKind.ENDED).count();
      if (sent != 1) {
        problem(sent == 0 ? "requests that nobody sent" : "requests sent twice", trace);
        return;
      }
      requests++;
      if (ended != 1) {
        problem(ended == 0 ? "requests without an outcome" : "requests that ended twice", trace);
        return;
      }
      hops(trace);
      answers(trace);
      events(trace);
      if (trace.measured()) {
        outcomes.merge(outcome(trace), 1L, Long::sum);
      }
    }

    /** Messages of one kind about a request from one process to another. */
    private record Hop(SpanKind sending, String from, String to, int number) {}

    /** Every message that was sent was taken up as often, by the process that it was sent to. */
    private void hops(Trace trace) {
      Map<Hop, Integer> missing = new LinkedHashMap<>();
      for (Traced one : trace.spans()) {
        Span span = one.span();
        String here = one.process().name();
        int number = span.number();
        switch (span.kind()) {
          case SENT, ENTRUSTED -> sent(one, ScenarioRole.SERVICE, span.peer(), 0, missing);
          case ASKED -> sent(one, ScenarioRole.MOCK, span.peer(), 0, missing);
          case ANSWERED -> sent(one, ScenarioRole.SERVICE, span.peer(), number, missing);
          case REPLIED -> sent(one, ScenarioRole.CLIENT, 0, number, missing);
          case REQUEST_TAKEN -> taken(SpanKind.SENT, ScenarioRole.CLIENT, one, 0, missing);
          case ADOPTED -> taken(SpanKind.ENTRUSTED, ScenarioRole.CLIENT, one, 0, missing);
          case ASK_TAKEN -> taken(SpanKind.ASKED, ScenarioRole.SERVICE, one, 0, missing);
          case ENDED, DUPLICATE ->
              taken(SpanKind.REPLIED, ScenarioRole.SERVICE, one, number, missing);
          case ANSWER_TAKEN -> {
            taken(SpanKind.ANSWERED, ScenarioRole.MOCK, one, number, missing);
            missing.merge(new Hop(span.kind(), here, GRID, number), 1, Integer::sum);
          }
          case APPENDED, NO_STATE, ANSWER_FAILED ->
              missing.merge(new Hop(SpanKind.ANSWER_TAKEN, here, GRID, number), -1, Integer::sum);
          case STEP -> {}
        }
      }
      missing.forEach((hop, times) -> judge(hop, times, trace));
    }

    private static void sent(
        Traced one, ScenarioRole to, int peer, int number, Map<Hop, Integer> missing) {
      if (peer != Role.NOBODY) {
        missing.merge(
            new Hop(one.span().kind(), one.process().name(), to.process(peer), number),
            1,
            Integer::sum);
      }
    }

    private static void taken(
        SpanKind sending, ScenarioRole from, Traced one, int number, Map<Hop, Integer> missing) {
      int peer = one.span().peer();
      if (peer != Role.NOBODY) {
        missing.merge(
            new Hop(sending, from.process(peer), one.process().name(), number), -1, Integer::sum);
      }
    }

    private void judge(Hop hop, int missing, Trace trace) {
      if (missing > 0 && !killedDuring(trace, hop.from) && !killedDuring(trace, hop.to)) {
        String what = Messages.format("scenario.verify-lost").formatted(hop.from, hop.to);
        note(hop.sending == SpanKind.ANSWERED ? lostAnswers : problems, what, trace);
      } else if (missing < 0 && killedAt.getOrDefault(hop.from, 0L) != Long.MIN_VALUE) {
        problem(Messages.format("scenario.verify-unsent").formatted(hop.from, hop.to), trace);
      }
    }

    /**
     * Returns whether a process was killed while a request was under way. Steps do not tell: a
     * timer of a request that another process has ended runs all the same.
     */
    private boolean killedDuring(Trace trace, String process) {
      Long at = killedAt.get(process);
      return at != null
          && trace.spans().stream()
              .filter(one -> !one.is(SpanKind.STEP))
              .anyMatch(one -> one.span().to() + KILL_MARGIN_NANOS >= at);
    }

    private void answers(Trace trace) {
      trace
          .first(SpanKind.ASK_TAKEN)
          .filter(asked -> trace.all(SpanKind.ANSWERED).count() != asked.span().number())
          .ifPresent(asked -> problem("questions without all their answers", trace));
      Set<Integer> added = new HashSet<>();
      if (!trace.all(SpanKind.APPENDED).allMatch(one -> added.add(one.span().number()))) {
        problem(Messages.format("scenario.verify-repeated"), trace);
      }
      Set<Integer> mayBeAdded = new HashSet<>(added);
      trace
          .all(SpanKind.ANSWER_TAKEN)
          .filter(one -> killedDuring(trace, one.process().name()))
          .forEach(one -> mayBeAdded.add(one.span().number()));
      trace
          .first(SpanKind.ASKED)
          .map(asked -> asked.span().number())
          .filter(all -> ended(trace) == Outcome.COMPLETED)
          .filter(all -> added.size() > all || mayBeAdded.size() < all)
          .ifPresent(all -> problem(Messages.format("scenario.verify-incomplete"), trace));
    }

    private static Outcome ended(Trace trace) {
      return trace.first(SpanKind.ENDED).orElseThrow().span().outcome();
    }

    private Outcome outcome(Trace trace) {
      Outcome said = ended(trace);
      return said == Outcome.TIMED_OUT && races(trace) > 0 ? Outcome.LOST_RACE : said;
    }

    /**
     * An answer without a state is a race where its read began before the state was acknowledged,
     * late where the request had ended, and else a stale read.
     */
    private void events(Trace trace) {
      happened(DUPLICATES, trace.all(SpanKind.DUPLICATE).count(), trace);
      happened(ADOPTED, trace.all(SpanKind.ENTRUSTED).count(), trace);
      long races = races(trace);
      long late =
          trace.all(SpanKind.NO_STATE).filter(lost -> lost.span().to() >= removed(trace)).count();
      long without = trace.all(SpanKind.NO_STATE).count();
      happened(RACES, races, trace);
      happened(LATE_ANSWERS, late, trace);
      happened(STALE_READS, without - races - late + staleStates(trace), trace);
    }

    private long races(Trace trace) {
      long created = created(trace);
      return trace
          .all(SpanKind.NO_STATE)
          .filter(lost -> lost.span().from() < created && lost.span().to() < removed(trace))
          .count();
    }

    /** When the grid acknowledged the state of a request, by a write that is for no answer. */
    private static long created(Trace trace) {
      return trace.spans().stream()
          .filter(
              one ->
                  one.is(SpanKind.STEP)
                      && one.span().number() == 0
                      && one.part() == Part.CACHE_WRITE)
          .mapToLong(one -> one.span().to())
          .min()
          .orElse(Long.MAX_VALUE);
    }

    /** When the state may have been removed: before the reply was sent. */
    private static long removed(Trace trace) {
      return trace
          .all(SpanKind.REPLIED)
          .mapToLong(one -> one.span().from())
          .min()
          .orElse(Long.MAX_VALUE);
    }

    /** States that were read without answers that had been acknowledged before. */
    private static long staleStates(Trace trace) {
      List<Traced> appended = trace.all(SpanKind.APPENDED).toList();
      return appended.stream()
          .filter(
              one -> {
                long before =
                    appended.stream()
                        .filter(other -> other.span().to() < one.span().from())
                        .count();
                return one.span().peer() < before + 1;
              })
          .count();
    }
  }
}
