package io.pyrometer.scenario;

import io.pyrometer.load.LatencyTimer;
import io.pyrometer.protocol.RandomTime;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.scenario.ScenarioMessages.PrepareScenario;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands in for a remote service: gives as many answers as it is asked for, each when its drawn
 * delay after the one before has passed, to the processes of the service in turn. The delays of a
 * request are drawn from the seed and its id, so that they are the same in every treatment.
 */
final class MockRole extends Role {
  /** The time from the arrival of a question to the sending of an answer. */
  static final String SERVICE_ELAPSED = "ServiceElapsed";

  private final RandomTime first;
  private final RandomTime between;
  private final long dropped;
  private final LatencyTimer elapsed;
  private final AtomicLong answers = new AtomicLong();
  private final ScheduledThreadPoolExecutor threads;

  MockRole(PrepareScenario as, Recorders recorders) {
    super(as, recorders);
    this.first = time(ScenarioSettings.FIRST_ANSWER_DELAY);
    this.between = time(ScenarioSettings.ANSWER_DELAY);
    this.dropped = settings.get(ScenarioSettings.DROP_MESSAGE);
    this.elapsed = recorders.timer(SERVICE_ELAPSED);
    this.threads = new ScheduledThreadPoolExecutor(settings.get(ScenarioSettings.MOCK_THREADS));
    threads.setRemoveOnCancelPolicy(true);
    threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private RandomTime time(SettingKey<String> key) {
    return RandomTime.parse(settings.get(key)).orElseThrow();
  }

  @Override
  void received(Message message, long receivedNanos) {
    if (message.type() == Message.Type.ASK) {
      threads.execute(() -> asked(message, receivedNanos));
    }
  }

  private void asked(Message message, long received) {
    long start = System.nanoTime();
    recorders.span(SpanKind.ASK_TAKEN, message, message.from(), message.of(), received, start);
    SplittableRandom random =
        new SplittableRandom(as.trial().seed() ^ (message.request() * 0x9E3779B97F4A7C15L));
    long due = start + first.drawNanos(random);
    for (int number = 1; number <= message.of(); number++) {
      answerAt(due, number, message, received);
      due += between.drawNanos(random);
    }
  }

  private void answerAt(long due, int number, Message message, long received) {
    long left = due - System.nanoTime();
    if (left <= 0) {
      answer(due, number, message, received);
    } else {
      Future<?> unused =
          threads.schedule(
              () -> answer(due, number, message, received), left, TimeUnit.NANOSECONDS);
    }
  }

  private void answer(long due, int number, Message asked, long received) {
    Optional<Transport.Peer> service = transport.next(ScenarioRole.SERVICE);
    int to = service.map(Transport.Peer::index).orElse(NOBODY);
    long now = System.nanoTime();
    recorders.span(SpanKind.ANSWERED, asked, to, number, due, now);
    if (asked.measured()) {
      elapsed.record(now - received);
    }
    if (answers.incrementAndGet() != dropped) {
      Message answer = asked.then(Message.Type.ANSWER, as.index(), number, now, asked.sent());
      service.ifPresent(peer -> peer.send(answer));
    }
  }

  @Override
  boolean idle() {
    return threads.getQueue().isEmpty() && threads.getActiveCount() == 0;
  }

  @Override
  void stop() {
    threads.shutdownNow();
  }
}
