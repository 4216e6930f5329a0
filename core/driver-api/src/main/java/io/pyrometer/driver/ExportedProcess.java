package io.pyrometer.driver;

import io.pyrometer.driver.WatchedServers.Collections;
import io.pyrometer.protocol.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * The JVM of a server, read where Prometheus reads it: at the JMX exporter, or where else the JVM
 * metrics of Prometheus's Java client are, in the text format (<a
 * href="https://prometheus.io/docs/instrumenting/exposition_formats/">exposition formats</a>).
 */
final class ExportedProcess implements ServerProcess {
  private static final int OK = 200;
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final String CPU = "process_cpu_seconds_total";
  private static final String START = "process_start_time_seconds";
  private static final String COLLECTIONS = "jvm_gc_collection_seconds_";

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(LONGEST).build();
  private final URI address;

  private ExportedProcess(URI address) {
    this.address = address;
  }

  /**
   * Connects.
   *
   * @param address http://host:port/path
   * @throws GridException with one sentence if nothing answers there, or without CPU time
   */
  static ExportedProcess connect(String address) {
    try {
      ExportedProcess process = new ExportedProcess(URI.create(address));
      double unused = process.required(process.read(), CPU);
      return process;
    } catch (IllegalArgumentException malformed) {
      throw GridException.of("%s is no URL (%s).", address, malformed.getMessage(), malformed);
    }
  }

  private String read() {
    HttpRequest request = HttpRequest.newBuilder(address).timeout(LONGEST).build();
    try {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      if (answer.statusCode() != OK) {
        throw GridException.of("%s answers with status %d.", address, answer.statusCode());
      }
      return answer.body();
    } catch (IOException failure) {
      throw silent(GridException.cause(failure), failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw silent("interrupted", interrupted);
    }
  }

  private GridException silent(String why, Exception cause) {
    return GridException.of("%s does not answer (%s).", address, why, cause);
  }

  private double required(String page, String name) {
    return sum(page, name)
        .orElseThrow(
            () ->
                GridException.of(
                    "%s has no %s; name a JMX exporter, or a JMX port.", address, name));
  }

  /** Over all labels of a metric, but those of collectors that stop no thread. */
  private static OptionalDouble sum(String page, String name) {
    return Pattern.compile("(?m)^%s(?:\\{.*})?[ \\t]+(\\S+)".formatted(Pattern.quote(name)))
        .matcher(page)
        .results()
        .filter(sample -> !sample.group().contains(JmxProcess.CONCURRENT + '"'))
        .mapToDouble(sample -> Double.parseDouble(sample.group(1)))
        .reduce(Double::sum);
  }

  private static Collections collected(String page) {
    return new Collections(
        Math.round(sum(page, COLLECTIONS + "count").orElse(0)),
        sum(page, COLLECTIONS + "sum").orElse(0));
  }

  /** Whatever its id: a JVM does not export it. */
  @Override
  public boolean is(String pid, long startMillis) {
    return Math.round(required(read(), START) * 1e3) == startMillis;
  }

  @Override
  public Answer.Used usage(int cores) {
    String page = read();
    double up = System.currentTimeMillis() / 1e3 - required(page, START);
    return Answer.Used.ofJvm(required(page, CPU), collected(page).seconds(), up, cores);
  }

  @Override
  public Collections collections() {
    return collected(read());
  }

  @Override
  public void close() {
    // Idle connections end by themselves.
  }
}
