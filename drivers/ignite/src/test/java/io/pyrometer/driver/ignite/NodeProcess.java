package io.pyrometer.driver.ignite;

import io.pyrometer.driver.RunningServer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A server node in a JVM of its own, which ends when its standard input ends. */
final class NodeProcess {

  private NodeProcess() {}

  public static void main(String[] args) throws IOException {
    PrintStream out = System.out;
    System.setOut(System.err);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Command.StartServer spec = Json.LINES.readValue(in.readLine(), Command.StartServer.class);
    RunningServer server = new IgniteDriver().servers().start(spec);
    server.awaitServers(spec.servers(), Duration.ofMinutes(1));
    out.println(server.clientAddress().orElseThrow());
    while (in.readLine() != null) {
      // only the end of the input matters
    }
    Runtime.getRuntime().halt(0);
  }
}
