package io.pyrometer.scenario.trial;

import io.pyrometer.scenario.protocol.Outcome;
import io.pyrometer.scenario.protocol.Part;
import io.pyrometer.scenario.protocol.ScenarioRole;
import io.pyrometer.scenario.protocol.SpanKind;
import io.pyrometer.scenario.trial.ScenarioLogs.Trace;
import io.pyrometer.scenario.trial.ScenarioLogs.Traced;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Whether every request ended in exactly one outcome and no message was lost, from the logs of both
 * ends of every connection.
 *
 * <p>Checked of each request: it was sent once and ended once; every message that one process
 * logged as sent was taken up once by the process that it was sent to; a mock gave as many answers
 * as it was asked for; a completed request has all its answers in the state, each once; and every
 * reply reached the client. What was sent to, or held by, a process that was killed on purpose may
 * be missing, as may what it logged as sent just before it was killed, but the request's end may
 * not. Where a mock drops answers on purpose, exactly those must be found to be lost: they are then
 * no problem, but evidence that the check finds losses.
 *
 * @param requests that were sent, warm-up included
 * @param outcomes of the requests that count
 * @param counts of what happened beside, among the requests that count
 * @param planted the answers dropped on purpose that were found to be lost, each a sentence
 * @param problems each a sentence; empty where everything holds
 */
public record OutcomeCheck(
    long requests,
    Map<Outcome, Long> outcomes,
    Map<String, Long> counts,
    List<String> planted,
    List<String> problems) {
  /** A state that lacks what the grid had acknowledged before the read began. */
  public static final String STALE_READS = "stale reads";

  /** Answers that came when their request had ended. */
  public static final String LATE_ANSWERS = "late answers";

  /** Answers that came before the state that they belong to was visible. */
  public static final String RACES = "answers that lost a race";

  /** Replies to requests that had ended. */
  public static final String DUPLICATES = "replies to ended requests";

  /** Requests that another service took over. */
  public static final String ADOPTED = "requests of a killed service";

  /** Answers that were dropped on purpose and found to be lost. */
  public static final String PLANTED = "losses planted and found";

  private static final int NOBODY = 0xffff;

  /** The outcomes that count, all of them. */
  public OutcomeCheck {
    outcomes = new EnumMap<>(outcomes);
    counts = new LinkedHashMap<>(counts);
    planted = List.copyOf(planted);
    problems = List.copyOf(problems);
  }

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
    private final int dropped;
    private long requests;

    Checking(ScenarioLogs logs, int dropped) {
      this.logs = logs;
      this.dropped = dropped;
      for (String name : List.of(RACES, STALE_READS, LATE_ANSWERS, DUPLICATES, ADOPTED)) {
        counts.put(name, 0L);
      }
    }

    OutcomeCheck done() {
      logs.traces().values().forEach(this::check);
      long lost = lostAnswers.values().stream().mapToLong(Long::longValue).sum();
      List<String> sentences = sentences(problems);
      List<String> planted = sentences(lostAnswers);
      if (dropped > 0) {
        counts.put(PLANTED, Math.min(lost, dropped));
      }
      if (lost != dropped) {
        sentences.addAll(planted);
        planted = List.of();
        if (dropped > 0) {
          sentences.add(
              "answers dropped on purpose: %d, but %d were found to be lost"
                  .formatted(dropped, lost));
        }
      }
      return new OutcomeCheck(requests, outcomes, counts, planted, sentences);
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
      arrived(trace, SpanKind.SENT, ScenarioRole.SERVICE, SpanKind.REQUEST_TAKEN, false);
      arrived(trace, SpanKind.ENTRUSTED, ScenarioRole.SERVICE, SpanKind.ADOPTED, false);
      arrived(trace, SpanKind.ASKED, ScenarioRole.MOCK, SpanKind.ASK_TAKEN, false);
      arrived(trace, SpanKind.ANSWERED, ScenarioRole.SERVICE, SpanKind.ANSWER_TAKEN, true);
      answers(trace);
      replies(trace);
      beside(trace);
      if (trace.measured()) {
        outcomes.merge(outcome(trace), 1L, Long::sum);
      }
    }

    /**
     * Each message sent was taken up once by the process that it was sent to, and no other was.
     *
     * @param numbered whether they are answers, of which a request has several
     */
    private void arrived(
        Trace trace, SpanKind sending, ScenarioRole to, SpanKind taking, boolean numbered) {
      trace
          .all(sending)
          .forEach(
              sent -> {
                int peer = sent.span().peer();
                long taken =
                    trace
                        .all(taking)
                        .filter(one -> one.in(to, peer))
                        .filter(one -> !numbered || one.span().number() == sent.span().number())
                        .count();
                boolean mayBeMissing =
                    peer == NOBODY || logs.killed(to, peer) || sent.process().killed();
                if (taken > 1 || (taken == 0 && !mayBeMissing)) {
                  String what =
                      "messages from %s to %s that were %s"
                          .formatted(
                              sent.process().name(),
                              to.process(peer),
                              taken == 0 ? "lost" : "taken up twice");
                  note(taken == 0 && numbered ? lostAnswers : problems, what, trace);
                }
              });
      if (trace.all(taking).count() > trace.all(sending).count() && !anyKilled()) {
        problem("messages that were taken up and not sent", trace);
      }
    }

    private boolean anyKilled() {
      return logs.processes().stream().anyMatch(ScenarioLogs.ProcessLog::killed);
    }

    private void answers(Trace trace) {
      trace
          .first(SpanKind.ASK_TAKEN)
          .ifPresent(
              asked -> {
                long given = trace.all(SpanKind.ANSWERED).count();
                if (given != asked.span().number()) {
                  problem("questions without all their answers", trace);
                }
              });
      long distinct =
          trace.all(SpanKind.APPENDED).map(one -> one.span().number()).distinct().count();
      if (trace.all(SpanKind.APPENDED).count() != distinct) {
        problem("answers added to their state twice", trace);
      }
      boolean completed = ended(trace) == Outcome.COMPLETED;
      Optional<Traced> asked = trace.first(SpanKind.ASKED);
      if (completed
          && asked.isPresent()
          && distinct != asked.get().span().number()
          && !anyKilled()) {
        problem("completed requests without all their answers", trace);
      }
    }

    private void replies(Trace trace) {
      long sent = trace.all(SpanKind.REPLIED).count();
      long duplicates = trace.all(SpanKind.DUPLICATE).count();
      Traced end = trace.first(SpanKind.ENDED).orElseThrow();
      long received = duplicates + (end.span().peer() == NOBODY ? 0 : 1);
      if (sent != received && !anyKilled()) {
        problem(sent > received ? "replies that were lost" : "replies that nobody sent", trace);
      }
      boolean told =
          end.span().peer() == NOBODY
              || trace
                  .all(SpanKind.REPLIED)
                  .anyMatch(
                      reply ->
                          reply.span().number() == end.span().number()
                              && reply.process().index() == end.span().peer());
      if (!told && !anyKilled()) {
        problem("requests that ended otherwise than the service replied", trace);
      }
      happened(DUPLICATES, duplicates, trace);
      happened(ADOPTED, trace.all(SpanKind.ENTRUSTED).count(), trace);
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
    private void beside(Trace trace) {
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
