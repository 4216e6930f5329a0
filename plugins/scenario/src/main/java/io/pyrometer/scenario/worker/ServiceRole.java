package io.pyrometer.scenario.worker;

import io.pyrometer.load.LatencyTimer;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.scenario.api.MockAnswer;
import io.pyrometer.scenario.api.Request;
import io.pyrometer.scenario.api.ScenarioSession;
import io.pyrometer.scenario.api.Service;
import io.pyrometer.scenario.api.ServiceContext;
import io.pyrometer.scenario.protocol.Outcome;
import io.pyrometer.scenario.protocol.Part;
import io.pyrometer.scenario.protocol.ScenarioMessages.ScenarioRecorded;
import io.pyrometer.scenario.protocol.ScenarioRole;
import io.pyrometer.scenario.protocol.ScenarioSettings;
import io.pyrometer.scenario.protocol.SpanKind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A process of the service: hands messages to its threads, and records what becomes of them. */
final class ServiceRole implements Role, ServiceContext {
  static final String CLIENT_REQUEST_DELAY = "ClientRequestDelay";
  static final String SEND_SERVICE_REQUEST = "SendServiceRequest";
  static final String SERVICE_RESPONSE_DELAY = "ServiceResponseDelay";
  static final String SERVICE_END_TO_END = "ServiceEnd2End";

  private final Settings settings;
  private final int index;
  private final Recorders recorders;
  private final Transport transport;
  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final ThreadLocal<Integer> answer = ThreadLocal.withInitial(() -> 0);
  private final LatencyTimer requestDelay;
  private final LatencyTimer sending;
  private final LatencyTimer responseDelay;
  private final LatencyTimer endToEnd;
  private final Service service;

  ServiceRole(
      TrialSpec trial,
      int index,
      ScenarioSession session,
      Recorders recorders,
      TransportOf transports) {
    this.settings = trial.settings();
    this.index = index;
    this.recorders = recorders;
    this.transport = transports.make(this);
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

  /** Makes the transport of a role, which both need each other. */
  @FunctionalInterface
  interface TransportOf {
    Transport make(Transport.Listener listener);
  }

  Transport transport() {
    return transport;
  }

  @Override
  public void received(Message message, long receivedNanos) {
    switch (message.type()) {
      case REQUEST, ADOPT -> threads.execute(() -> request(message, receivedNanos));
      case ANSWER -> threads.execute(() -> answer(message, receivedNanos));
      default -> recorders.failed(new IllegalStateException("A service was sent " + message + "."));
    }
  }

  private void request(Message message, long received) {
    boolean adopted = message.type() == Message.Type.ADOPT;
    long start = System.nanoTime();
    recorders.span(
        adopted ? SpanKind.ADOPTED : SpanKind.REQUEST_TAKEN,
        message,
        message.from(),
        message.of(),
        received,
        start);
    Request request =
        new Request(
            message.request(),
            message.from(),
            message.payload(),
            message.of(),
            received,
            message.measured());
    if (message.measured() && !adopted) {
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
      reply(
          request.id(),
          request.client(),
          request.measured(),
          Outcome.FAILED,
          System.nanoTime() - received);
    }
  }

  private void answer(Message message, long received) {
    long start = System.nanoTime();
    recorders.span(
        SpanKind.ANSWER_TAKEN, message, message.from(), message.number(), received, start);
    if (message.measured()) {
      responseDelay.record(received - message.sent());
      endToEnd.record(received - message.origin());
    }
    answer.set(message.number());
    try {
      service.onAnswer(
          new MockAnswer(
              message.request(),
              message.client(),
              message.number(),
              message.of(),
              message.payload(),
              message.measured()));
    } catch (Exception e) {
      failed(e);
    } finally {
      answer.set(0);
    }
  }

  @Override
  public void lost(ScenarioRole role, int which) {
    // The client entrusts the requests of a service that is gone to another one.
  }

  @Override
  public Settings settings() {
    return settings;
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Step step(String name, Part part) {
    int number = recorders.spans().step(name, part);
    LatencyTimer times = recorders.timer(name);
    return (request, of, measured, from, to) -> {
      recorders.spans().writeStep(number, request, measured, of, from, to);
      if (measured) {
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
    recorders
        .spans()
        .write(
            SpanKind.ASKED,
            request.id(),
            request.measured(),
            mock.map(Transport.Peer::index).orElse(0xffff),
            request.answers(),
            now,
            now);
    mock.ifPresent(
        peer ->
            peer.send(
                new Message(
                    Message.Type.ASK,
                    request.measured(),
                    index,
                    request.client(),
                    0,
                    request.answers(),
                    request.id(),
                    request.payload(),
                    now,
                    now)));
    if (request.measured()) {
      sending.record(System.nanoTime() - now);
    }
  }

  @Override
  public void reply(
      long request, int client, boolean measured, Outcome outcome, long elapsedNanos) {
    long now = System.nanoTime();
    recorders
        .spans()
        .write(SpanKind.REPLIED, request, measured, answer.get(), outcome.code(), now, now);
    transport
        .peer(ScenarioRole.CLIENT, client)
        .ifPresent(
            peer ->
                peer.send(
                    new Message(
                        Message.Type.REPLY,
                        measured,
                        index,
                        client,
                        outcome.code(),
                        0,
                        request,
                        0,
                        now,
                        elapsedNanos)));
  }

  @Override
  public void appended(MockAnswer mine, long readNanos, int received) {
    recorders
        .spans()
        .write(
            SpanKind.APPENDED,
            mine.request(),
            mine.measured(),
            received,
            mine.number(),
            readNanos,
            System.nanoTime());
  }

  @Override
  public void noState(MockAnswer mine, long readNanos) {
    recorders
        .spans()
        .write(
            SpanKind.NO_STATE,
            mine.request(),
            mine.measured(),
            0,
            mine.number(),
            readNanos,
            System.nanoTime());
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
  public boolean idle() {
    return threads.getQueue().isEmpty() && threads.getActiveCount() == 0;
  }

  @Override
  public ScenarioRecorded recorded(Recorders all) {
    return Role.plain(all);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    threads.shutdownNow();
    service.close();
  }
}
