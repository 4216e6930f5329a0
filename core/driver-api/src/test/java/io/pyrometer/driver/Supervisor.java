package io.pyrometer.driver;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A JVM that starts a native process, tells its id on standard output, and goes on for long. */
public final class Supervisor {

  private Supervisor() {}

  /** Takes the guard's name and the folder of the native process. */
  public static void main(String[] args) throws Exception {
    Thread starter =
        new Thread(
            () -> {
              NativeProcess started =
                  NativeProcess.start(
                      new NativeProcess.Spec(
                          "The sleeper",
                          List.of("sleep", "600"),
                          Map.of(),
                          Path.of(args[1]),
                          Duration.ofSeconds(10),
                          Duration.ofSeconds(5)),
                      process -> true,
                      ParentDeathGuard.valueOf(args[0]));
              System.out.println(started.pid());
            });
    starter.start();
    // The end of the calling thread must not end the process.
    starter.join();
    Thread.sleep(600_000);
  }
}
