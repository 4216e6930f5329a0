package io.pyrometer.example;

import io.pyrometer.ignite.writer.FailedWrite;
import io.pyrometer.ignite.writer.IgniteWriter;
import io.pyrometer.ignite.writer.WriteFailedException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;

/**
 * Loads a CSV file with the columns {@code id,account,amount} into the cache {@code payments}. A
 * later line of an id replaces the earlier one, in the file's order. Lines that cannot be written go
 * to a dead-letter file with the reason; the writer's statistics are printed at the end.
 */
public final class LoadCsv {
  private LoadCsv() {}

  /** Not a record: Ignite 2 reads fields by their offsets, which records forbid. */
  static final class Payment {
    private final String account;
    private final double amount;

    Payment(String account, double amount) {
      this.account = account;
      this.amount = amount;
    }

    String account() {
      return account;
    }

    double amount() {
      return amount;
    }
  }

  /** Arguments: the CSV file, the dead-letter file, a server's address (none: starts one here). */
  public static void main(String[] args) throws IOException {
    if (args.length < 2) {
      System.err.println("Give the CSV file, the dead-letter file and, if any, a server's address.");
      System.exit(2);
    }
    boolean ownServer = args.length == 2;
    String address = ownServer ? "127.0.0.1:48500" : args[2];
    try (Ignite ignite = Ignition.start(configuration(address, ownServer))) {
      IgniteCache<Long, Payment> cache =
          ignite.getOrCreateCache(
              new CacheConfiguration<Long, Payment>("payments")
                  .setBackups(1)
                  .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC));
      long failed = load(Path.of(args[0]), Path.of(args[1]), cache);
      System.out.println("in the cache: " + cache.size() + ", failed lines: " + failed);
    }
  }

  static long load(Path csv, Path deadLetters, IgniteCache<Long, Payment> cache)
      throws IOException {
    CSVFormat format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get();
    long badLines = 0;
    try (Reader in = Files.newBufferedReader(csv);
        BufferedWriter out = Files.newBufferedWriter(deadLetters);
        CSVPrinter letters = new CSVPrinter(out, CSVFormat.DEFAULT)) {
      letters.printRecord("id", "account", "amount", "in doubt", "reason");
      IgniteWriter<Long, Payment> writer =
          IgniteWriter.to(cache).onFailure(failed -> print(letters, failed)).open();
      try (writer) {
        for (CSVRecord line : format.parse(in)) {
          try {
            Payment payment =
                new Payment(line.get("account"), Double.parseDouble(line.get("amount")));
            writer.write(Long.parseLong(line.get("id")), payment);
          } catch (IllegalArgumentException e) {
            badLines++;
            print(letters, List.of(line.get(0), "", "", "false", String.valueOf(e.getMessage())));
          }
        }
        writer.flush();
      } catch (WriteFailedException e) {
        badLines += e.failedCount(); // each is in the dead-letter file
      }
      System.out.println(writer.stats());
    }
    return badLines;
  }

  private static void print(CSVPrinter letters, FailedWrite<Long, Payment> failed) {
    String account = failed.value().map(Payment::account).orElse("");
    String amount = failed.value().map(payment -> "" + payment.amount()).orElse("");
    print(
        letters,
        List.of(
            "" + failed.key(), account, amount, "" + failed.inDoubt(), "" + failed.cause()));
  }

  /** The writer's threads and the reading one print; lines must not mix. */
  private static void print(CSVPrinter letters, List<String> fields) {
    synchronized (letters) {
      try {
        letters.printRecord(fields);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static IgniteConfiguration configuration(String address, boolean server) {
    TcpDiscoverySpi discovery =
        new TcpDiscoverySpi()
            .setIpFinder(new TcpDiscoveryVmIpFinder().setAddresses(List.of(address)));
    if (server) {
      discovery.setLocalPort(48500).setLocalPortRange(1);
    }
    return new IgniteConfiguration()
        .setLocalHost(server ? "127.0.0.1" : null)
        .setDiscoverySpi(discovery)
        .setClientMode(!server);
  }
}
