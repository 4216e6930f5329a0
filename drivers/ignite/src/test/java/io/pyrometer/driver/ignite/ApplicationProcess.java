package io.pyrometer.driver.ignite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ignite.Ignite;
import org.apache.ignite.Ignition;

/** An application in a JVM of its own, which ends with its standard input. */
@SuppressWarnings("try") // to close it is to wait
final class ApplicationProcess implements AutoCloseable {
  private static final String BEGUN = "The application has begun.";
  private final Process process;
  private final Path log;

  private ApplicationProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  public static void main(String[] arguments) throws Exception {
    PlantedFault fault =
        PlantedFaults.ALL.stream()
            .filter(each -> each.planted().equals(arguments[0]))
            .findFirst()
            .orElseThrow();
    try (Ignite client = Ignition.start(arguments[1]);
        Application application = Application.start(fault, client, List.of())) {
      System.out.println(BEGUN);
      while (System.in.read() >= 0) {
        application.client();
      }
    }
    System.exit(0);
  }

  /** Returns when the application has begun. */
  static ApplicationProcess start(PlantedFault fault, StockNode server, Path folder)
      throws IOException, InterruptedException {
    Path file =
        server.clientFile(
            folder.resolve("application.xml"),
            """
            <property name="clientMode" value="true"/>
            <property name="workDirectory" value="%s"/>
            """
                .formatted(folder.resolve("application")),
            "");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(StockNode.flags());
    command.addAll(List.of(fault.ownJvm().orElseThrow().split(" ", -1)));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ApplicationProcess.class.getName(), fault.planted(), file.toString()));
    Path log = folder.resolve("application.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    ApplicationProcess started = new ApplicationProcess(process, log);
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!Files.readString(log).contains(BEGUN)) {
      if (!process.isAlive() || System.nanoTime() > until) {
        process.destroyForcibly();
        throw new IOException("The application did not begin: " + Files.readString(log));
      }
      Thread.sleep(100);
    }
    return started;
  }

  /** Prints what the application saw. */
  @Override
  public void close() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    Files.readAllLines(log).stream()
        .filter(line -> line.startsWith("APPLICATION") || line.contains("OutOfMemory"))
        .limit(5)
        .forEach(System.out::println);
  }
}
