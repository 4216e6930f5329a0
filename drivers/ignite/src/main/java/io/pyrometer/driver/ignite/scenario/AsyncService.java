package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.scenario.MockAnswer;
import io.pyrometer.scenario.Outcome;
import io.pyrometer.scenario.Part;
import io.pyrometer.scenario.Request;
import io.pyrometer.scenario.ScenarioSettings;
import io.pyrometer.scenario.Service;
import io.pyrometer.scenario.ServiceContext;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;

/**
 * The asynchronous service of the published experiment 003. For each request it keeps a {@link
 * Handler} in the cache, asks a remote service, and adds each answer to the handler; the answer
 * that completes it removes the handler, and then the client is answered. A request whose answers
 * do not come in time is removed by a timer in the same way and answered as timed out. Whoever
 * removes the handler answers, so a request is answered once, whichever process of the service does
 * it.
 */
record AsyncService(Settings settings) implements IgniteScenario {
  private static final String LOCKS = "-locks";

  /** After this, a request is tried again that could not be ended when its time was up. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  @Override
  public CacheConfiguration<Object, Object> cache(CacheConfiguration<Object, Object> asked) {
    boolean atomic = asked.getAtomicityMode() == CacheAtomicityMode.ATOMIC;
    String handler = settings.get(IgniteScenarios.HANDLER);
    if (atomic && (handler.equals("pessimistic") || handler.equals("optimistic"))) {
      throw GridException.of(
          "The handler '%s' is a transaction, which an atomic cache does not support; set atomicity"
              + " TRANSACTIONAL.",
          handler);
    }
    if (handler.equals(IgniteScenarios.MEMORY)
        && settings.get(ScenarioSettings.SERVICE_PROCESSES) > 1) {
      throw new GridException(
          "With 'handler: memory' each process of the service has a state of its own; set"
              + " service-processes to 1.");
    }
    return asked;
  }

  /**
   * Locks are of a cache of their own, which stays empty: a lock belongs to a thread, and the write
   * under it is done by another one.
   */
  @Override
  public void prepare(Ignite ignite, String cacheName) {
    if (locks()) {
      IgniteCache<Long, Handler> unused = lockCache(ignite, cacheName);
    }
  }

  /** Made by the first that asks; the others wait until they know it. */
  private IgniteCache<Long, Handler> lockCache(Ignite ignite, String cacheName) {
    return ignite.getOrCreateCache(
        new CacheConfiguration<Long, Handler>(cacheName + LOCKS)
            .setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL)
            .setBackups(settings.get(GridSettings.BACKUPS))
            .setAffinity(
                new RendezvousAffinityFunction(false, settings.get(GridSettings.PARTITIONS))));
  }

  @Override
  public void remove(Ignite ignite, String cacheName) {
    if (locks()) {
      ignite.destroyCache(cacheName + LOCKS);
    }
  }

  private boolean locks() {
    return settings.get(IgniteScenarios.HANDLER).equals("lock");
  }

  @Override
  public Service start(Ignite ignite, String cacheName, ServiceContext context) {
    IgniteCache<Long, Handler> cache = ignite.cache(cacheName);
    return new Running(context, store(ignite, cache, context));
  }

  private HandlerStore store(
      Ignite ignite, IgniteCache<Long, Handler> cache, ServiceContext context) {
    String handler = settings.get(IgniteScenarios.HANDLER);
    return switch (handler) {
      case "entry-processor" -> new HandlerStore.ByEntryProcessor(cache, context);
      case IgniteScenarios.MEMORY -> new HandlerStore.InMemory(cache, context);
      case "pessimistic", "optimistic" ->
          new HandlerStore.InTransaction(
              ignite.transactions(), cache, context, handler.equals("pessimistic"));
      default -> new HandlerStore.UnderLock(cache, lockCache(ignite, cache.getName()), context);
    };
  }

  /** The service in one process. */
  private static final class Running implements Service {
    private final ServiceContext context;
    private final HandlerStore handlers;
    private final boolean storedFirst;
    private final Duration timeout;
    private final ServiceContext.Step ownCode;
    private final ServiceContext.Timer completeElapsed;
    private final ServiceContext.Timer timeoutElapsed;

    /** Requests of this process that this process has not ended; another may have. */
    private final Set<Long> open = ConcurrentHashMap.newKeySet();

    Running(ServiceContext context, HandlerStore handlers) {
      this.context = context;
      this.handlers = handlers;
      this.storedFirst = context.settings().get(IgniteScenarios.RACE).equals("handled");
      this.timeout =
          Duration.ofNanos((long) (context.settings().get(ScenarioSettings.REQUEST_TIMEOUT) * 1e9));
      this.ownCode = context.step("OwnCode", Part.OWN_CODE);
      this.completeElapsed = context.timer("Complete-HandleElapsed");
      this.timeoutElapsed = context.timer("Timeout-HandleElapsed");
    }

    @Override
    public void onRequest(Request request) throws Exception {
      long from = context.nanoTime();
      Handler handler =
          new Handler(
              request.client(),
              request.measured(),
              request.answers(),
              context.nanoTime(),
              request.payload());
      open.add(request.id());
      context.schedule(timeout, () -> expire(request, false));
      ownCode.record(request, from, context.nanoTime());
      if (storedFirst) {
        handlers.create(request, handler);
        context.ask(request);
      } else {
        context.ask(request);
        handlers.createLater(request, handler);
      }
    }

    @Override
    public void onAnswer(MockAnswer answer) throws Exception {
      Optional<Handler> handler = handlers.append(answer);
      if (handler.filter(Handler::complete).isPresent()) {
        long from = context.nanoTime();
        open.remove(answer.request());
        long elapsed = from - handler.get().createdNanos();
        completeElapsed.record(answer.measured(), elapsed);
        ownCode.record(answer, from, context.nanoTime());
        context.reply(answer, Outcome.COMPLETED, elapsed);
      }
    }

    /** The handler may be in the cache, and answers may complete it until the time is up. */
    @Override
    public void onAdopted(Request request) {
      open.add(request.id());
      context.schedule(timeout, () -> expire(request, true));
    }

    /**
     * @param adopted whether nobody else will answer even where there is no handler: the process
     *     that took the request is gone, or an attempt at this failed in the middle
     */
    private void expire(Request request, boolean adopted) {
      if (!open.remove(request.id())) {
        return;
      }
      boolean removed;
      try {
        removed = handlers.expire(request).isPresent();
      } catch (Exception e) {
        // A process that was killed may hold the lock until the servers miss it; the handler may
        // be removed all the same, so that whoever comes next answers.
        context.failed(e);
        open.add(request.id());
        context.schedule(RETRY, () -> expire(request, true));
        return;
      }
      if (removed || adopted) {
        long elapsed = context.nanoTime() - request.receivedNanos();
        timeoutElapsed.record(request.measured(), elapsed);
        context.reply(request, Outcome.TIMED_OUT, elapsed);
      }
    }

    @Override
    public void close() {
      handlers.close();
    }
  }
}
