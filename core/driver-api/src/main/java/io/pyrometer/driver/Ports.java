package io.pyrometer.driver;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Free ports for servers, drawn at random from outside the range that the system takes ports of
 * outgoing connections from, so that no connection made in the meantime gets one.
 */
public final class Ports {
  /** Below these many servers of other programs have their usual ports. */
  private static final int LOWEST = 15_000;

  /** There are servers that do not take the last one, 65535. */
  private static final int HIGHEST = 65_534;

  private static final int ATTEMPTS = 200;
  private static final Path EPHEMERAL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

  private final int[] candidates;
  private final RandomGenerator random;

  public Ports(RandomGenerator random) {
    this(random, ephemeralRange());
  }

  /**
   * @param ephemeral first and last port of outgoing connections; empty where it is not known
   */
  Ports(RandomGenerator random, List<Integer> ephemeral) {
    this.random = random;
    // The range that IANA names, if the system does not report its own.
    int first = ephemeral.size() == 2 ? ephemeral.get(0) : 49_152;
    int last = ephemeral.size() == 2 ? ephemeral.get(1) : HIGHEST;
    int[] outside =
        IntStream.rangeClosed(LOWEST, HIGHEST).filter(p -> p < first || p > last).toArray();
    this.candidates =
        outside.length >= 1_000 ? outside : IntStream.rangeClosed(LOWEST, HIGHEST).toArray();
  }

  private static List<Integer> ephemeralRange() {
    // In one read: the kernel gives the rest of such a file to no second one.
    try (InputStream file = Files.newInputStream(EPHEMERAL)) {
      String text = new String(file.readNBytes(64), StandardCharsets.UTF_8);
      String[] range = text.strip().split("\\s+", -1);
      return List.of(Integer.valueOf(range[0]), Integer.valueOf(range[1]));
    } catch (IOException notLinux) {
      return List.of();
    }
  }

  /** A port that nobody listens on at this moment. */
  public static int free(String host) {
    try {
      return new Ports(ThreadLocalRandom.current()).draw(InetAddress.getByName(host));
    } catch (IOException e) {
      throw GridException.of("No port is free at %s: %s.", host, e.getMessage(), e);
    }
  }

  /**
   * A port that could be bound exclusively a moment ago.
   *
   * @throws IOException if the address is not this machine's, or no port is free
   */
  public int draw(InetAddress here) throws IOException {
    IOException last = new IOException("none was tried");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = candidates[random.nextInt(candidates.length)];
      try (ServerSocket exclusive = new ServerSocket()) {
        exclusive.setReuseAddress(false);
        exclusive.bind(new InetSocketAddress(here, port), 1);
        return port;
      } catch (IOException taken) {
        last = taken;
      }
    }
    throw last;
  }
}
