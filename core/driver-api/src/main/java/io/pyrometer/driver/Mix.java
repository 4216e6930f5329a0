package io.pyrometer.driver;

import io.pyrometer.driver.FunctionPath.Body;
import io.pyrometer.load.Call;
import io.pyrometer.load.MixedOperation;
import io.pyrometer.load.MixedOperation.Effect;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An access path whose calls are one of several operations each, as the setting {@code mix} asks
 * for; without it, single reads and writes in the share of {@code reads}. A hit or a miss that is
 * not intended fails its call.
 *
 * @param <K> a key as the product's client takes it
 * @param <V> a record as the product's client takes it
 */
public final class Mix<K, V> {
  private final MapTrial<K, V> trial;
  private final String writeName;
  private final Map<String, Operation> operations = new LinkedHashMap<>();
  private final IntFunction<V> values;
  private final AtomicLong dropped = new AtomicLong();

  private record Operation(Effect effect, boolean batched, Body body) {}

  /** Carries out an operation for one key of a call. */
  @FunctionalInterface
  public interface Single<K> {

    /**
     * Carries out the operation.
     *
     * @param i the key's place in the call
     */
    void apply(Call call, int i, K key);
  }

  Mix(MapTrial<K, V> trial, String writeName, Function<K, @Nullable V> get, BiConsumer<K, V> put) {
    this.trial = trial;
    this.writeName = writeName;
    this.values = trial.values();
    with("get", Effect.READ, (call, i, key) -> found(call, i, get.apply(key) != null));
    with("put", Effect.WRITE, (call, i, key) -> put.accept(key, values.apply(call.record(i))));
  }

  /** Adds reads of batches. */
  public Mix<K, V> getAll(Function<Set<K>, Map<K, V>> getAll) {
    return add(
        "get-all",
        new Operation(
            Effect.READ,
            true,
            call -> {
              Map<K, V> answer = getAll.apply(trial.wanted(call));
              for (int i = 0; i < call.size(); i++) {
                found(call, i, answer.get(trial.keys.apply(call.key(i))) != null);
              }
            }));
  }

  /** Adds writes of batches. */
  public Mix<K, V> putAll(Consumer<Map<K, V>> putAll) {
    return add(
        "put-all",
        new Operation(Effect.WRITE, true, call -> putAll.accept(trial.batch(call, values))));
  }

  /** Adds removals of single records. */
  public Mix<K, V> remove(Consumer<K> remove) {
    return with("remove", Effect.REMOVE, (call, i, key) -> remove.accept(key));
  }

  /** Adds an operation on single keys, such as an entry processor. */
  public Mix<K, V> with(String name, Effect effect, Single<K> single) {
    return add(
        name,
        new Operation(
            effect,
            false,
            call -> {
              // More than one key is a probe's; an operation may change the size.
              int keys = call.size();
              for (int i = 0; i < keys; i++) {
                single.apply(call, i, trial.keys.apply(call.key(i)));
              }
            }));
  }

  private Mix<K, V> add(String name, Operation operation) {
    operations.put(name, operation);
    return this;
  }

  /**
   * To be told by operations that read whether they found the record of a key.
   *
   * @throws IllegalStateException if the record is absent and should not be, or the reverse
   */
  public void found(Call call, int i, boolean found) {
    if (call.absent(i) && found) {
      throw new IllegalStateException(
          "Key " + call.key(i) + " was never written or was removed, but is present.");
    }
    if (!call.absent(i) && !found && trial.mayDrop()) {
      dropped.incrementAndGet();
    } else if (!call.absent(i)) {
      FunctionPath.requireFound(call.key(i), found);
    }
  }

  /**
   * The path.
   *
   * @throws GridException if the settings mix an operation that was not added
   */
  public FunctionPath open() {
    Settings settings = trial.settings;
    double reads = settings.get(CoreSettings.READS);
    Map<String, Double> shares =
        settings
            .find(PathSettings.MIX)
            .map(mix -> mix.byName())
            .orElse(Map.of("get", reads, "put", 1 - reads));
    List<String> names = new ArrayList<>(shares.keySet());
    names.forEach(this::named);
    // A probe writes by the last operation.
    names.sort(
        Comparator.<String, Effect>comparing(name -> named(name).effect).thenComparing(n -> n));
    boolean batched = names.stream().anyMatch(name -> named(name).batched);
    int batch = batched ? settings.get(PathSettings.BATCH) : 1;
    List<MixedOperation> mix =
        names.stream()
            .<MixedOperation>map(
                name ->
                    new MixedOperation(
                        name.equals("put") && !settings.has(PathSettings.MIX) ? writeName : name,
                        named(name).effect,
                        named(name).batched ? batch : 1,
                        shares.getOrDefault(name, 0.0)))
            .toList();
    List<Body> bodies = names.stream().<Body>map(name -> named(name).body).toList();
    FunctionPath path =
        FunctionPath.mixing(mix, batch, call -> bodies.get(call.operation()).call(call));
    return trial.mayDrop()
        ? path.counting(() -> Map.of("reads-of-dropped", dropped.get())).dropping(true)
        : path;
  }

  private Operation named(String name) {
    Operation operation = operations.get(name);
    if (operation == null) {
      throw GridException.of(
          "Path '%s' has no operation '%s' to mix; choose from %s.",
          trial.path, name, String.join(", ", operations.keySet()));
    }
    return operation;
  }
}
