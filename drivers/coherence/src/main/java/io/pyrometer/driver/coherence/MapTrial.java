package io.pyrometer.driver.coherence;

import com.tangosol.net.AsyncNamedMap;
import com.tangosol.net.Coherence;
import com.tangosol.net.NamedMap;
import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.RecordBytes;
import io.pyrometer.driver.ScannedContents;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.Settings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One trial: a map of its own, whose values are bytes. */
final class MapTrial implements TrialSession {
  private static final int MAX_PAGE_RECORDS = 1_000;

  private final Coherence member;
  private final NamedMap<Long, byte[]> map;
  private final String path;
  private final Settings settings;
  private final Records records;
  private final RecordBytes values;
  private final int page;

  MapTrial(
      Coherence member,
      NamedMap<Long, byte[]> map,
      String path,
      Settings settings,
      Records records) {
    this.member = member;
    this.map = map;
    this.path = path;
    this.settings = settings;
    this.records = records;
    this.values = new RecordBytes(records);
    this.page = PageSize.of(records, MAX_PAGE_RECORDS);
  }

  @Override
  public Map<String, String> configuration() {
    return Members.configuration(member);
  }

  @Override
  public void fill(long from, long to) {
    Map<Long, byte[]> batch = new HashMap<>();
    for (long key = from; key < to; key++) {
      batch.put(key, values.of((int) (key % records.size())));
      if (batch.size() == page || key == to - 1) {
        map.putAll(batch);
        batch.clear();
      }
    }
  }

  @Override
  public AccessPath path(LoadThread thread) {
    HighestFields highest = new HighestFields(records.shape(), settings);
    return switch (path) {
      case "put-all-of-one" -> FunctionPath.writing(path, 1, this::write);
      case "put" ->
          FunctionPath.writing(path, 1, call -> map.put(call.key(0), values.of(call.record(0))));
      case "put-async" -> putAsync();
      case "put-all" ->
          FunctionPath.writing(
              path, settings.get(PathSettings.BATCH), call -> map.putAll(batch(call)));
      case "get" ->
          FunctionPath.reading(path, 1, highest, call -> see(highest, map.get(call.key(0))));
      case "get-all" ->
          FunctionPath.reading(
              path,
              settings.get(PathSettings.BATCH),
              highest,
              call -> map.getAll(keys(call)).values().forEach(found -> see(highest, found)));
      case "aggregate" -> aggregate(highest);
      case "mixed" -> FunctionPath.mixed("put", key -> map.get(key) != null, this::write);
      default -> throw new GridException("Coherence has no access path '%s'.".formatted(path));
    };
  }

  private void write(Call call) {
    map.putAll(Map.of(call.key(0), values.of(call.record(0))));
  }

  /** Calls of one thread to one key keep their order; the default orders by thread. */
  private AccessPath putAsync() {
    AsyncNamedMap<Long, byte[]> async = map.async();
    return FunctionPath.completing(
        path,
        settings.get(PathSettings.IN_FLIGHT),
        call -> async.putAll(Map.of(call.key(0), values.of(call.record(0)))));
  }

  private AccessPath aggregate(HighestFields highest) {
    List<String> all = records.shape().fields().stream().map(FieldShape::name).toList();
    HighestOfBytes wanted =
        new HighestOfBytes(values.types(), highest.names().stream().map(all::indexOf).toList());
    return FunctionPath.wholeSet(
        path,
        settings.get(CoreSettings.RECORDS).intValue(),
        highest,
        call -> {
          HighestOfBytes.Found found = map.aggregate(wanted);
          highest.merge(found.count(), found.highest());
        });
  }

  private Map<Long, byte[]> batch(Call call) {
    Map<Long, byte[]> batch = new TreeMap<>();
    for (int i = 0; i < call.size(); i++) {
      batch.put(call.key(i), values.of(call.record(i)));
    }
    return batch;
  }

  private static Set<Long> keys(Call call) {
    Set<Long> keys = new HashSet<>(call.size() * 4 / 3 + 1);
    for (int i = 0; i < call.size(); i++) {
      keys.add(call.key(i));
    }
    return keys;
  }

  private void see(HighestFields highest, byte @Nullable [] found) {
    if (found != null) {
      highest.see(values.fields(found));
    }
  }

  @Override
  public ContentDigest digest() {
    return contents().digest();
  }

  @Override
  public ScannedContents contents() {
    return new ScannedContents(
        records, this::scan, key -> Optional.ofNullable(map.get(key)).map(values::fields));
  }

  /** Page by page, because {@code entrySet} holds all records in one message of each member. */
  private void scan(StoredContents.RecordVisitor visitor) {
    List<Long> keys = List.copyOf(map.keySet());
    for (int from = 0; from < keys.size(); from += page) {
      map.getAll(keys.subList(from, Math.min(keys.size(), from + page)))
          .forEach((key, value) -> visitor.visit(key, values.fields(value)));
    }
  }

  @Override
  public void destroy() {
    map.destroy();
  }

  @Override
  public void close() {}
}
