package example;

import io.pyrometer.driver.ignite.scenario.IgniteScenario;
import io.pyrometer.scenario.Part;
import io.pyrometer.scenario.Request;
import io.pyrometer.scenario.ScenarioStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.transactions.Transaction;
import org.apache.ignite.transactions.TransactionConcurrency;
import org.apache.ignite.transactions.TransactionIsolation;

/**
 * A shopping basket: a request is one shopper, who looks at products, puts some in the basket, and
 * checks out. Stock, baskets and orders are entries of one transactional cache.
 */
public final class Basket implements IgniteScenario {
  private static final int PRODUCTS = 1_000;

  /** Fills the shop, once for each trial. */
  @Override
  public void prepare(Ignite ignite, String cacheName) {
    Map<String, Object> stock = new TreeMap<>();
    for (int product = 0; product < PRODUCTS; product++) {
      stock.put("stock-" + product, 1_000_000L);
    }
    ignite.<String, Object>cache(cacheName).putAll(stock);
  }

  /** Steps that the experiment's file may name. */
  @Override
  public Map<String, ScenarioStep> steps(Ignite ignite, String cacheName) {
    IgniteCache<String, Object> cache = ignite.cache(cacheName);
    Map<String, ScenarioStep> steps = new LinkedHashMap<>();
    steps.put("read", new ScenarioStep(Part.CACHE_READ, request -> cache.get(product(request, 0))));
    steps.put("add", new ScenarioStep(Part.CACHE_WRITE, request -> add(cache, request)));
    steps.put(
        "check out", new ScenarioStep(Part.CACHE_WRITE, request -> checkOut(ignite, cache, request)));
    return steps;
  }

  /** Two shoppers rarely want the same product, but sometimes they do. */
  private static String product(Request request, int item) {
    return "stock-" + Math.floorMod(request.payload() + 7919L * item, PRODUCTS);
  }

  @SuppressWarnings("unchecked")
  private static List<String> items(Object basket) {
    return basket == null ? new ArrayList<>() : new ArrayList<>((List<String>) basket);
  }

  private static void add(IgniteCache<String, Object> cache, Request request) {
    String key = "basket-" + request.id();
    List<String> items = items(cache.get(key));
    items.add(product(request, items.size()));
    cache.put(key, items);
  }

  /** Takes the items from the stock, in one order for all shoppers so that none block each other. */
  private static void checkOut(Ignite ignite, IgniteCache<String, Object> cache, Request request) {
    try (Transaction transaction =
        ignite
            .transactions()
            .txStart(
                TransactionConcurrency.PESSIMISTIC, TransactionIsolation.REPEATABLE_READ, 5_000, 0)) {
      String basket = "basket-" + request.id();
      List<String> items = items(cache.get(basket));
      for (String item : new TreeSet<>(items)) {
        cache.put(item, (Long) cache.get(item) - 1);
      }
      cache.put("order-" + request.id(), items);
      cache.remove(basket);
      transaction.commit();
    }
  }
}
