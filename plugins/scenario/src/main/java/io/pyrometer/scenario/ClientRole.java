package io.pyrometer.scenario;

import io.pyrometer.load.LatencyTimer;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.NanoClock;
import io.pyrometer.load.Pacer;
import io.pyrometer.load.Sampler;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Arrivals;
import io.pyrometer.protocol.Daemon;
import io.pyrometer.scenario.ScenarioMessages.PrepareScenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Publishes requests and takes the replies. An open loop: a publisher's schedule waits for nothing,
 * and a request's time counts from its intended start. Every request ends here, in exactly one
 * outcome: as the reply says, or as failed where none comes in time.
 */
final class ClientRole extends Role {
  /** The operation under which the latency of completed requests is reported. */
  static final String REQUEST = "request";

  private static final long NOT_YET = Long.MAX_VALUE;

  private final int least;
  private final int most;
  private final long replyTimeout;
  private final Map<Long, Open> open = new ConcurrentHashMap<>();
  private final List<Thread> publishers = new ArrayList<>();
  private final List<Long> inFlight = new ArrayList<>();
  private final LatencyTimer completed = new LatencyTimer();
  private final LatencyTimer slip = new LatencyTimer();
  private final AtomicLong ids = new AtomicLong();
  private final AtomicLong finished = new AtomicLong();
  private final AtomicLong finishedInWindow = new AtomicLong();
  private final AtomicLong sentInWindow = new AtomicLong();
  private final AtomicLong offered = new AtomicLong();
  private final AtomicLong lateAtStart = new AtomicLong();
  private final AtomicLong lateAtEnd = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private volatile long measureFrom = NOT_YET;
  private volatile long measureTo = NOT_YET;
  private volatile boolean closed;
  private final Sampler sampler;

  /** A request without an outcome; {@code service} is the process that has it. */
  private record Open(Message message, long intended, int service) {}

  ClientRole(PrepareScenario as, Recorders recorders, Consumer<Answer.Sample> samples) {
    super(as, recorders);
    this.least = settings.get(ScenarioSettings.ANSWERS_LEAST);
    this.most = Math.max(least, settings.get(ScenarioSettings.ANSWERS_MOST));
    this.replyTimeout = (long) (settings.get(ScenarioSettings.REPLY_TIMEOUT) * 1e9);
    this.sampler = Sampler.ofRecords(finished::get, samples, this::tick);
  }

  /** Begins to publish. */
  void begin() {
    int count = settings.get(ScenarioSettings.PUBLISHERS);
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      Pacer pacer = Pacer.of(settings, new LoadThread(i, count), as.trial().seed());
      pacer.beginAt(start);
      publishers.add(Daemon.of("publisher-" + i, () -> publish(pacer)));
    }
    publishers.forEach(Thread::start);
    sampler.begin();
  }

  /** Requests whose intended start is from now on count. */
  void measure() {
    measureFrom = System.nanoTime();
  }

  private void publish(Pacer pacer) {
    long intended = pacer.awaitNext(NanoClock.SYSTEM, this::ended);
    while (!closed && intended < measureTo) {
      send(intended);
      intended = pacer.awaitNext(NanoClock.SYSTEM, this::ended);
    }
  }

  /** Only ends waiting: a publisher that is behind its schedule still sends what was due. */
  private boolean ended() {
    return closed || System.nanoTime() >= measureTo;
  }

  private void send(long intended) {
    long id = ids.getAndIncrement();
    SplittableRandom random = new SplittableRandom(as.trial().seed() + id * 0x9E3779B97F4A7C15L);
    boolean measured = intended >= measureFrom;
    Optional<Transport.Peer> service = transport.next(ScenarioRole.SERVICE);
    int to = service.map(Transport.Peer::index).orElse(NOBODY);
    int me = as.index();
    int answers = random.nextInt(least, most + 1);
    long bits = random.nextLong();
    long now = System.nanoTime();
    Message message =
        new Message(Message.Type.REQUEST, measured, me, me, 0, answers, id, bits, now, 0);
    Open request = new Open(message, intended, to);
    open.put(id, request);
    recorders.span(SpanKind.SENT, message, to, message.of(), intended, now);
    count(intended, now);
    if (service.isEmpty() || !service.get().send(message)) {
      entrust(request);
    }
  }

  private void count(long intended, long now) {
    if (intended >= measureFrom) {
      slip.record(now - intended);
      offered.incrementAndGet();
      if (now < measureTo) {
        sentInWindow.incrementAndGet();
      } else {
        lateAtEnd.incrementAndGet();
      }
    } else if (now >= measureFrom) {
      sentInWindow.incrementAndGet();
      lateAtStart.incrementAndGet();
    }
  }

  @Override
  void received(Message message, long receivedNanos) {
    if (message.type() != Message.Type.REPLY) {
      recorders.failed(new IllegalStateException("A client was sent " + message + "."));
      return;
    }
    Outcome outcome = Coded.of(Outcome.class, message.number());
    Open request = open.remove(message.request());
    if (request == null) {
      long now = System.nanoTime();
      int told = message.number();
      recorders.span(SpanKind.DUPLICATE, message, message.from(), told, receivedNanos, now);
      return;
    }
    end(request, outcome, message.from(), receivedNanos);
    if (request.message().measured()) {
      String prefix = outcome == Outcome.COMPLETED ? "Complete-" : "Timeout-";
      if (outcome != Outcome.FAILED) {
        recorders.timer(prefix + "ServerElapsed").record(message.origin());
        recorders.timer(prefix + "ClientElapsed").record(receivedNanos - request.intended());
        recorders.timer(prefix + "ExpectedResponses").record(request.message().of());
      }
    }
  }

  private void end(Open request, Outcome outcome, int service, long receivedNanos) {
    long now = System.nanoTime();
    recorders.span(SpanKind.ENDED, request.message(), service, outcome.code(), receivedNanos, now);
    if (outcome == Outcome.COMPLETED) {
      finished.incrementAndGet();
      if (now >= measureFrom && now < measureTo) {
        finishedInWindow.incrementAndGet();
      }
      if (request.message().measured()) {
        completed.record(receivedNanos - request.intended());
      }
    } else if (outcome == Outcome.FAILED && request.message().measured()) {
      failures.incrementAndGet();
    }
  }

  @Override
  void lost(ScenarioRole role, int which) {
    if (role == ScenarioRole.SERVICE) {
      open.values().stream().filter(request -> request.service() == which).forEach(this::entrust);
    }
  }

  /**
   * Sends a request to another service, because the one that has it is gone; and to the next, where
   * that one is gone as well.
   */
  private void entrust(Open request) {
    Message was = request.message();
    Open last = request;
    for (Optional<Transport.Peer> service = transport.next(ScenarioRole.SERVICE);
        service.isPresent();
        service = transport.next(ScenarioRole.SERVICE)) {
      Transport.Peer other = service.get();
      Open now = new Open(was, request.intended(), other.index());
      if (!open.replace(was.request(), last, now)) {
        return;
      }
      last = now;
      long time = System.nanoTime();
      if (other.send(was.then(Message.Type.ADOPT, as.index(), 0, time, 0))) {
        recorders.span(SpanKind.ENTRUSTED, was, other.index(), was.of(), time, time);
        return;
      }
    }
  }

  /** Ten times a second: notes the requests in flight, and ends those without a reply as failed. */
  private void tick() {
    synchronized (inFlight) {
      inFlight.add((long) open.size());
    }
    long now = System.nanoTime();
    List<Open> late =
        open.values().stream()
            .filter(request -> now - request.message().sent() > replyTimeout)
            .toList();
    for (Open request : late) {
      if (open.remove(request.message().request(), request)) {
        end(request, Outcome.FAILED, NOBODY, now);
        recorders.failed(
            new IllegalStateException(
                "A request had no reply within %.0f s.".formatted(replyTimeout / 1e9)));
      }
    }
  }

  /** Stops publishing, and returns when every request has ended. */
  Answer.Finished finish() throws InterruptedException {
    measureTo = System.nanoTime();
    double seconds = Math.max(0, measureTo - measureFrom) / 1e9;
    for (Thread publisher : publishers) {
      publisher.join();
    }
    while (!open.isEmpty()) {
      Thread.sleep(1);
    }
    closed = true;
    sampler.stop();
    Answer.Interval interval =
        new Answer.Interval(
            0, seconds, completed.count() == 0 ? Map.of() : Map.of(REQUEST, completed.encoded()));
    return new Answer.Finished(
        seconds,
        finishedInWindow.get(),
        finishedInWindow.get(),
        failures.get(),
        0,
        List.of(),
        List.of(interval),
        slip.atPercentile(99) / 1e3,
        Optional.of(
            new Arrivals(
                offered.get(),
                sentInWindow.get(),
                finishedInWindow.get(),
                lateAtStart.get(),
                lateAtEnd.get())),
        Map.of(),
        Optional.empty(),
        0);
  }

  @Override
  boolean idle() {
    return open.isEmpty();
  }

  @Override
  List<Long> inFlight() {
    synchronized (inFlight) {
      return List.copyOf(inFlight);
    }
  }

  @Override
  void stop() {
    closed = true;
    publishers.forEach(Thread::interrupt);
    sampler.stop();
  }
}
