package io.pyrometer.scenario;

import io.pyrometer.load.LatencyTimer;
import io.pyrometer.protocol.Settings;
import io.pyrometer.scenario.ScenarioMessages.PrepareScenario;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A process of the service: hands messages to its threads, and records what becomes of them. */
final class ServiceRole extends Role implements ServiceContext {
  static final String CLIENT_REQUEST_DELAY = "ClientRequestDelay";
  static final String SEND_SERVICE_REQUEST = "SendServiceRequest";
  static final String SERVICE_RESPONSE_DELAY = "ServiceResponseDelay";
  static final String SERVICE_END_TO_END = "ServiceEnd2End";

  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final LatencyTimer requestDelay;
  private final LatencyTimer sending;
  private final LatencyTimer responseDelay;
  private final LatencyTimer endToEnd;
  private final Service service;

  ServiceRole(PrepareScenario as, ScenarioSession session, Recorders recorders) {
    super(as, recorders);
    int count = settings.get(ScenarioSettings.SERVICE_THREADS);
    this.threads =
        new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    this.requestDelay = recorders.timer(CLIENT_REQUEST_DELAY);
    this.sending = recorders.timer(SEND_SERVICE_REQUEST);
    this.responseDelay = recorders.timer(SERVICE_RESPONSE_DELAY);
    this.endToEnd = recorders.timer(SERVICE_END_TO_END);
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.service = session.start(this);
  }

  @Override
  void received(Message message, long receivedNanos) {
    switch (message.type()) {
      case REQUEST, ADOPT -> threads.execute(() -> request(message, receivedNanos));
      case ANSWER -> threads.execute(() -> answer(message, receivedNanos));
      default -> recorders.failed(new IllegalStateException("A service was sent " + message + "."));
    }
  }

  private void request(Message message, long received) {
    boolean adopted = message.type() == Message.Type.ADOPT;
    SpanKind kind = adopted ? SpanKind.ADOPTED : SpanKind.REQUEST_TAKEN;
    recorders.span(kind, message, message.from(), message.of(), received, System.nanoTime());
    Request request =
        new Request(
            message.request(),
            message.from(),
            message.payload(),
            message.of(),
            received,
            message.measured());
    if (request.measured() && !adopted) {
      requestDelay.record(received - message.sent());
    }
    try {
      if (adopted) {
        service.onAdopted(request);
      } else {
        service.onRequest(request);
      }
    } catch (Exception e) {
      failed(e);
      reply(request, Outcome.FAILED, System.nanoTime() - received);
    }
  }

  private void answer(Message message, long received) {
    int number = message.number();
    boolean measured = message.measured();
    long start = System.nanoTime();
    recorders.span(SpanKind.ANSWER_TAKEN, message, message.from(), number, received, start);
    if (measured) {
      responseDelay.record(received - message.sent());
      endToEnd.record(received - message.origin());
    }
    try {
      service.onAnswer(
          new MockAnswer(
              message.request(),
              message.client(),
              number,
              message.of(),
              message.payload(),
              measured));
    } catch (Exception e) {
      failed(e);
      long now = System.nanoTime();
      recorders.span(SpanKind.ANSWER_FAILED, message, message.from(), number, start, now);
    }
  }

  @Override
  public Settings settings() {
    return settings;
  }

  @Override
  public int index() {
    return as.index();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Step step(String name, Part part) {
    int number = recorders.spans().step(name, part);
    LatencyTimer times = recorders.timer(name);
    return (of, from, to) -> {
      recorders.spans().writeStep(number, of.request(), of.measured(), of.number(), from, to);
      if (of.measured()) {
        times.record(to - from);
      }
    };
  }

  @Override
  public Timer timer(String name) {
    LatencyTimer times = recorders.timer(name);
    return (measured, nanos) -> {
      if (measured) {
        times.record(nanos);
      }
    };
  }

  @Override
  public void ask(Request request) {
    long now = System.nanoTime();
    Optional<Transport.Peer> mock = transport.next(ScenarioRole.MOCK);
    int to = mock.map(Transport.Peer::index).orElse(NOBODY);
    boolean measured = request.measured();
    int answers = request.answers();
    recorders.spans().write(SpanKind.ASKED, request.id(), measured, to, answers, now, now);
    Message question =
        new Message(
            Message.Type.ASK,
            measured,
            as.index(),
            request.client(),
            0,
            answers,
            request.id(),
            request.payload(),
            now,
            now);
    mock.ifPresent(peer -> peer.send(question));
    if (measured) {
      sending.record(System.nanoTime() - now);
    }
  }

  @Override
  public void reply(Subject to, Outcome outcome, long elapsedNanos) {
    long now = System.nanoTime();
    int code = outcome.code();
    recorders
        .spans()
        .write(SpanKind.REPLIED, to.request(), to.measured(), to.number(), code, now, now);
    Message reply =
        new Message(
            Message.Type.REPLY,
            to.measured(),
            as.index(),
            to.client(),
            code,
            0,
            to.request(),
            0,
            now,
            elapsedNanos);
    transport.peer(ScenarioRole.CLIENT, to.client()).ifPresent(peer -> peer.send(reply));
  }

  @Override
  public void appended(MockAnswer mine, long readNanos, int received) {
    span(SpanKind.APPENDED, mine, received, readNanos);
  }

  @Override
  public void noState(MockAnswer mine, long readNanos) {
    span(SpanKind.NO_STATE, mine, 0, readNanos);
  }

  private void span(SpanKind kind, MockAnswer mine, int peer, long from) {
    long now = System.nanoTime();
    recorders.spans().write(kind, mine.request(), mine.measured(), peer, mine.number(), from, now);
  }

  @Override
  public void schedule(Duration delay, Task task) {
    Future<?> unused = timer.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void run(Task task) {
    try {
      threads.execute(
          () -> {
            try {
              task.run();
            } catch (Exception e) {
              failed(e);
            }
          });
    } catch (RejectedExecutionException closed) {
      // The trial is over.
      return;
    }
  }

  @Override
  public void failed(Throwable cause) {
    recorders.failed(cause);
  }

  @Override
  boolean idle() {
    return threads.getQueue().isEmpty() && threads.getActiveCount() == 0;
  }

  @Override
  void stop() {
    timer.shutdownNow();
    threads.shutdownNow();
    service.close();
  }
}
