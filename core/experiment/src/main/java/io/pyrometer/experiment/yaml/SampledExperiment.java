package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Testbed;
import io.pyrometer.protocol.CacheSample;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.RecordShape;
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
import java.util.stream.Stream;
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
    Map<String, Object> file =
        file(cache, "How fast are records like those of " + cache + " written and read?");
    file.put("grid", grid(sample, like.testbed(), driver));
    Map<String, Object> workload = new LinkedHashMap<>();
    workload.put("record", record(sample.record()));
    workload.put("records", Math.min(sample.count(), records));
    file.put("workload", workload);
    file.put("factors", Map.of("path", paths(driver)));
    file.put("blocks", 3);
    List<String> comments = like(sample, cache);
    comments.add("More access paths: pyrometer list " + driver.name());
    return text(comments, file);
  }

  /**
   * Writes an experiment that repeats a workload.
   *
   * @param cache name of the sampled cache
   * @param sampled some of its records, where they are known
   * @param like the testbed that is taken with the sample
   */
  public static String of(
      WorkloadSample recorded,
      String cache,
      Optional<CacheSample> sampled,
      Testbed like,
      DriverDescription driver) {
    Map<String, Object> file =
        file(recorded.cache(), "How fast is the recorded workload of " + recorded.cache() + "?");
    Map<String, Object> grid = new LinkedHashMap<>(Map.of("driver", driver.name()));
    grid.putAll(recorded.grid());
    Map<String, Object> workload = new LinkedHashMap<>();
    recorded.record().ifPresent(record -> workload.put("record", record(record)));
    workload.putAll(recorded.workload());
    List<String> comments = new ArrayList<>();
    sampled.ifPresent(
        sample -> {
          grid.remove("nodes");
          grid.putAll(grid(sample, like, driver));
          RecordShape own = sample.record();
          RecordShape all = recorded.record().map(needed -> record(own, needed)).orElse(own);
          workload.put("record", record(all));
          comments.addAll(like(sample, cache));
        });
    file.put("grid", grid);
    file.put("workload", workload);
    if (!recorded.cases().isEmpty()) {
      file.put("cases", recorded.cases());
    }
    file.put("blocks", 3);
    recorded.notes().forEach(note -> comments.add(note.phrase()));
    return text(comments, file);
  }

  private static String text(List<String> comments, Map<String, Object> file) {
    DumperOptions style = new DumperOptions();
    style.setWidth(WIDTH);
    StringBuilder text = new StringBuilder();
    comments.forEach(line -> text.append("# " + line.replaceAll("\\s", " ") + "\n"));
    return text.append(new Yaml(style).dump(file)).toString();
  }

  private static List<String> like(CacheSample sample, String cache) {
    List<String> comments = new ArrayList<>();
    comments.add(
        "Like the cache '%s': %,d records, of which %,d were looked at; %,d bytes on average."
            .formatted(cache, sample.count(), sample.looked(), sample.bytes()));
    comments.add("It writes to caches of Pyrometer's own, and never to this one. What differs:");
    sample.differences().forEach(difference -> comments.add("- " + difference));
    return comments;
  }

  /** A file with a name that is allowed: lower-case letters, digits, hyphens. */
  private static Map<String, Object> file(String cache, String question) {
    String plain = cache.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("pyrometer", 1);
    file.put("name", "like-" + plain.replaceAll("^-|-$", ""));
    file.put("question", question);
    return file;
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

  private static Map<String, Object> record(RecordShape shape) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("name", shape.name());
    record.put("fields", shape.fields().stream().map(SampledExperiment::field).toList());
    return record;
  }

  /** A record with the name and the fields of another one, and with its own others. */
  private static RecordShape record(RecordShape own, RecordShape needed) {
    Map<String, FieldShape> byColumn = new LinkedHashMap<>();
    Stream.of(needed, own)
        .flatMap(shape -> shape.fields().stream())
        .forEach(field -> byColumn.putIfAbsent(field.name().toUpperCase(Locale.ROOT), field));
    return new RecordShape(needed.name(), Optional.empty(), List.copyOf(byColumn.values()));
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
