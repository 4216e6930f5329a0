package io.pyrometer.protocol;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The form of a cache that is in the grid already: enough to make one like it. It holds no value of
 * the user's but the least and the greatest of numbers and times.
 *
 * @param settings of the driver that make a cache like it, by name
 * @param record of the shape that its records have
 * @param bytes of a record, the mean of those looked at
 * @param count records in the cache
 * @param looked records looked at
 * @param differences what a cache made so lacks or has otherwise, a clause each
 */
public record CacheSample(
    Map<String, String> settings,
    RecordShape record,
    long bytes,
    long count,
    int looked,
    List<String> differences) {
  public CacheSample {
    settings = new TreeMap<>(settings);
    differences = List.copyOf(differences);
  }
}
