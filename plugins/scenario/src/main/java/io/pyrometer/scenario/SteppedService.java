package io.pyrometer.scenario;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.PlannedStep;
import io.pyrometer.protocol.RandomTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A service that takes the steps which the experiment's file declares, in that order, for each
 * request, and replies after the last one. A step that throws ends the request as failed; when
 * {@code request-timeout} has passed, the request is answered as timed out and takes no further
 * step. A pause holds no thread; its length is drawn from the request, so that it is the same in
 * every treatment.
 */
public final class SteppedService implements Service {
  private final ServiceContext context;
  private final List<Action> steps = new ArrayList<>();
  private final ServiceContext.Step pausing;
  private final ServiceContext.Step waiting;
  private final Duration timeout;

  /** A step: a call with its timer, or a pause. */
  private interface Action {
    /** Takes the step; false if the request has ended, or goes on with the next step later. */
    boolean take(Passage passage, int next);
  }

  /**
   * @param offered the steps of the scenario's class, by name
   * @throws GridException if the settings declare no steps, or one that is not offered
   */
  public SteppedService(ServiceContext context, Map<String, ScenarioStep> offered) {
    this.context = context;
    this.pausing = context.step("pause", Part.MOCK);
    this.waiting = context.step("wait for a thread", Part.QUEUEING);
    this.timeout =
        Duration.ofNanos((long) (context.settings().get(ScenarioSettings.REQUEST_TIMEOUT) * 1e9));
    Map<String, ServiceContext.Step> timers = new TreeMap<>();
    for (PlannedStep planned : declared(context, offered)) {
      if (planned.pause().isPresent()) {
        RandomTime time = planned.pause().get();
        steps.add((passage, next) -> passage.pause(time, next));
      } else {
        ScenarioStep step =
            Optional.ofNullable(offered.get(planned.name()))
                .orElseThrow(() -> unknown(planned, offered));
        ServiceContext.Step timer =
            timers.computeIfAbsent(planned.name(), name -> context.step(name, step.part()));
        steps.add((passage, next) -> passage.call(step, timer));
      }
    }
  }

  private static List<PlannedStep> declared(
      ServiceContext context, Map<String, ScenarioStep> offered) {
    return context
        .settings()
        .find(ScenarioSettings.STEPS)
        .flatMap(PlannedStep::parse)
        .orElseThrow(
            () ->
                GridException.of(
                    "The workload declares no steps; the scenario's class offers %s: write 'steps: [%s]'.",
                    names(offered), names(offered)));
  }

  private static GridException unknown(PlannedStep step, Map<String, ScenarioStep> offered) {
    return GridException.of(
        "The scenario's class has no step '%s'; it has %s: correct 'steps'.",
        step.name(), names(offered));
  }

  private static String names(Map<String, ScenarioStep> offered) {
    return String.join(", ", offered.keySet());
  }

  @Override
  public void onRequest(Request request) {
    Passage passage = new Passage(request);
    context.schedule(timeout, () -> passage.end(Outcome.TIMED_OUT));
    passage.from(0);
  }

  @Override
  public void close() {}

  /** One request on its way through the steps. */
  private final class Passage {
    private final Request request;
    private final SplittableRandom random;
    private final AtomicBoolean ended = new AtomicBoolean();

    Passage(Request request) {
      this.request = request;
      this.random = new SplittableRandom(request.payload());
    }

    void from(int first) {
      for (int i = first; i < steps.size() && !ended.get(); i++) {
        if (!steps.get(i).take(this, i + 1)) {
          return;
        }
      }
      end(Outcome.COMPLETED);
    }

    private boolean call(ScenarioStep step, ServiceContext.Step timer) {
      long from = context.nanoTime();
      try {
        step.call().of(request);
      } catch (Exception failure) {
        context.failed(failure);
        end(Outcome.FAILED);
        return false;
      }
      timer.record(request, from, context.nanoTime());
      return true;
    }

    private boolean pause(RandomTime time, int next) {
      long nanos = time.drawNanos(random);
      long begin = context.nanoTime();
      context.schedule(
          Duration.ofNanos(nanos),
          () -> {
            long due = begin + nanos;
            pausing.record(request, begin, due);
            waiting.record(request, due, context.nanoTime());
            from(next);
          });
      return false;
    }

    void end(Outcome outcome) {
      if (ended.compareAndSet(false, true)) {
        context.reply(request, outcome, context.nanoTime() - request.receivedNanos());
      }
    }
  }
}
