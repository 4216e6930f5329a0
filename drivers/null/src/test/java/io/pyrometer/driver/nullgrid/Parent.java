package io.pyrometer.driver.nullgrid;

/** Starts a worker, tells its process id, and sleeps until it is killed. */
public final class Parent {

  private Parent() {}

  /** Takes nothing. */
  public static void main(String[] args) throws Exception {
    Process worker =
        new ProcessBuilder(WorkerProcess.command())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    System.out.println(worker.pid());
    Thread.sleep(600_000);
  }
}
