package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Testbed;
import io.pyrometer.protocol.CacheSample;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.WorkloadSample;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * The file of an experiment that writes and reads records like those of a cache that is in the grid
 * already, in caches of Pyrometer's own.
 */
public final class SampledExperiment {
  private static final int WIDTH = 160;

  /** Whole numbers beyond it are no bounds of a field, since doubles do not hold all of them. */
  private static final double WHOLE = 1L << 53;

  private static final Set<Job> JOBS = Set.of(Job.WRITE, Job.AGGREGATE, Job.MIX);

  private SampledExperiment() {}

  /**
   * @param cache its name
   * @param like an experiment that reads the cache, whose grid is taken
   * @param records the most that the experiment may write
   */
  public static String of(
      CacheSample sample, String cache, Experiment like, DriverDescription driver, long records) {
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("pyrometer", 1);
    file.put("name", name(cache));
    file.put("question", "How fast are records like those of " + cache + " written and read?");
    file.put("grid", grid(sample, like.testbed(), driver));
    Map<String, Object> workload = new LinkedHashMap<>();
    workload.put("record", record(sample));
    workload.put("records", Math.min(sample.count(), records));
    file.put("workload", workload);
    file.put("factors", Map.of("path", paths(driver)));
    file.put("blocks", 3);
    StringBuilder text = new StringBuilder();
    like(sample, cache, text);
    comment(text, "More access paths: pyrometer list " + driver.name());
    return text.append(dump(file)).toString();
  }

  /**
   * Writes an experiment that repeats a workload.
   *
   * @param cache a sample of the records of its cache, where they are known
   * @param like the testbed that is taken with the sample
   * @param records how many records of the sampled cache it writes, at most
   */
  public static String of(
      WorkloadSample recorded,
      Optional<CacheSample> cache,
      Testbed like,
      DriverDescription driver,
      long records) {
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("pyrometer", 1);
    file.put("name", name(recorded.cache()));
    file.put("question", "How fast is the recorded workload of " + recorded.cache() + "?");
    Map<String, Object> grid = new LinkedHashMap<>(Map.of("driver", driver.name()));
    grid.putAll(recorded.grid());
    Map<String, Object> workload = new LinkedHashMap<>(recorded.workload());
    StringBuilder text = new StringBuilder();
    cache.ifPresent(
        sample -> {
          grid.remove("nodes");
          grid.putAll(grid(sample, like, driver));
          workload.put("record", record(sample, workload.getOrDefault("record", "")));
          workload.put("records", Math.min(records, sample.count()));
          like(sample, recorded.cache(), text);
        });
    file.put("grid", grid);
    file.put("workload", workload);
    if (!recorded.cases().isEmpty()) {
      file.put("cases", recorded.cases());
    }
    file.put("blocks", 3);
    recorded.notes().forEach(note -> comment(text, note.phrase()));
    return text.append(dump(file)).toString();
  }

  private static String dump(Map<String, Object> file) {
    DumperOptions style = new DumperOptions();
    style.setWidth(WIDTH);
    return new Yaml(style).dump(file);
  }

  private static void like(CacheSample sample, String cache, StringBuilder text) {
    comment(
        text,
        "Like the cache '%s': %,d records, of which %,d were looked at; %,d bytes on average."
            .formatted(cache, sample.count(), sample.looked(), sample.bytes()));
    comment(text, "It writes to caches of Pyrometer's own, and never to this one. What differs:");
    sample.differences().forEach(difference -> comment(text, "- " + difference));
  }

  private static void comment(StringBuilder text, String line) {
    text.append("# ").append(line.replaceAll("\\s", " ")).append('\n');
  }

  /** A name that a file allows: lower-case letters, digits, hyphens. */
  private static String name(String cache) {
    String plain = cache.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return "like-" + plain.replaceAll("^-|-$", "");
  }

  private static Map<String, Object> grid(
      CacheSample sample, Testbed like, DriverDescription driver) {
    Map<String, Object> grid = new LinkedHashMap<>();
    grid.put("driver", driver.name());
    like.attach().ifPresent(address -> grid.put("attach", address));
    like.config().ifPresent(file -> grid.put("config", file.toString()));
    sample.settings().forEach((name, value) -> grid.put(name, new Yaml().load(value)));
    return grid;
  }

  private static Map<String, Object> record(CacheSample sample) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("name", sample.record().name());
    List<Map<String, Object>> fields = new ArrayList<>();
    for (FieldShape field : sample.record().fields()) {
      fields.add(field(field));
    }
    record.put("fields", fields);
    return record;
  }

  /** The sampled record; with the name and the fields that recorded queries need, if there are. */
  private static Object record(CacheSample sample, Object ofQueries) {
    Map<String, Object> record = record(sample);
    if (ofQueries instanceof Map<?, ?> needed && needed.get("fields") instanceof List<?> fields) {
      Map<String, Object> byName = new LinkedHashMap<>();
      for (Object field : fields) {
        byName.put(column(field), field);
      }
      ((List<?>) record.get("fields")).forEach(field -> byName.putIfAbsent(column(field), field));
      return Map.of("name", needed.get("name"), "fields", List.copyOf(byName.values()));
    }
    return record;
  }

  /** The name of a field as SQL has it. */
  private static String column(Object field) {
    return String.valueOf(((Map<?, ?>) field).get("name")).toUpperCase(Locale.ROOT);
  }

  private static Map<String, Object> field(FieldShape field) {
    Map<String, Object> keys = new LinkedHashMap<>();
    keys.put("name", field.name());
    keys.put("type", field.type().name().toLowerCase(Locale.ROOT));
    if (field.size() > 0) {
      keys.put("size", field.size());
    }
    if (field.cardinality() > 0) {
      keys.put("cardinality", field.cardinality());
    }
    switch (field.type()) {
      case LONG, INT, DOUBLE, FLOAT, TIMESTAMP -> {
        keys.put("min", bound(field.type(), field.least()));
        keys.put("max", bound(field.type(), field.most()));
      }
      case STRING, BYTES, BOOLEAN -> {}
    }
    return keys;
  }

  private static Object bound(FieldType type, double value) {
    return switch (type) {
      case LONG, INT -> new BigDecimal(Math.max(-WHOLE, Math.min(WHOLE, value))).toBigInteger();
      case TIMESTAMP -> Instant.ofEpochMilli((long) value).toString();
      default -> new BigDecimal(String.valueOf(value));
    };
  }

  /** The plainest path of each job that needs nothing on the servers. */
  private static List<String> paths(DriverDescription driver) {
    return driver.paths().stream()
        .filter(path -> path.plainest() && !path.onServers() && JOBS.contains(path.job()))
        .map(PathDescription::name)
        .toList();
  }
}
