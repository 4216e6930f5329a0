package io.pyrometer.ignite.writer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Breaks the writer's logic in one place after another, each in a temporary copy of its sources,
 * and runs the unit tests on it: every mutation has to be killed by a test. Prints which test did.
 *
 * <p>Unlike a tool that mutates byte code, it makes the mistakes that a maintainer could make: a
 * batch sent again in doubt, a lane that does not wait for its predecessor.
 */
final class Mutations {
  private static final int SECONDS = 240;

  private Mutations() {}

  /** A mistake: what stands once in a file, and what stands there instead. */
  private record Mutation(String name, String file, String from, String to) {}

  private static final List<Mutation> ALL =
      List.of(
          new Mutation(
              "repeated keys are not merged",
              "Lane",
              "boolean mergeable = slot >= 0",
              "boolean mergeable = slot >= Integer.MAX_VALUE"),
          new Mutation(
              "a merged write keeps the earlier value",
              "PendingWrites",
              "    values[slot] = value;\n    bytes[slot] = entryBytes;\n    merged[slot]++;",
              "    bytes[slot] = entryBytes;\n    merged[slot]++;"),
          new Mutation(
              "writes are merged with operations",
              "PendingWrites",
              "return !(values[slot] instanceof Operation<?>);",
              "return true;"),
          new Mutation(
              "a lane sends while a batch of it is in flight",
              "Lane",
              "      state = State.BUSY;\n",
              ""),
          new Mutation(
              "a sealed lane takes writes",
              "Lane",
              "    if (sealed) {\n      return",
              "    if (false) {\n      return"),
          new Mutation(
              "a lane does not wait for those its partitions come from",
              "Generation",
              "predecessor == null\n",
              "predecessor != this\n"),
          new Mutation(
              "room is given back twice",
              "BatchSend",
              "      context.budget().release(batch.size(), batch.bytes());\n",
              "      context.budget().release(batch.size(), batch.bytes());\n"
                  + "      context.budget().release(batch.size(), batch.bytes());\n"),
          new Mutation(
              "room is not given back when a write that waited for it is merged",
              "Lane",
              "      context.budget().release(1, bytes);\n",
              ""),
          new Mutation(
              "callers take room past those that wait",
              "PendingBudget",
              "return !queued && take(entryBytes);",
              "return take(entryBytes);"),
          new Mutation(
              "a write in doubt is repeated",
              "BatchSend",
              "doubt(new Call(slice), failed, fault.cause());",
              "repeat(fault, slice, failed);"),
          new Mutation(
              "a key in doubt is not fenced",
              "BatchSend",
              "return context.keysInDoubt().any()\n",
              "return context.keysInDoubt().size() < 0\n"),
          new Mutation(
              "a doubt is ended by another call's end",
              "KeysInDoubt",
              "if (doubt != null && doubt.call == call) {",
              "if (doubt != null) {"),
          new Mutation(
              "a doubt does not end with its call",
              "BatchSend",
              "      context.keysInDoubt().ended(ended, ended.doubted);\n",
              ""),
          new Mutation(
              "an operation is repeated",
              "BatchSend",
              "Fault.Kind.PASSING && !batch.isOperation() && mayRepeat",
              "Fault.Kind.PASSING && mayRepeat"),
          new Mutation(
              "failed keys are acknowledged with the others of their call",
              "BatchSend",
              "failed.length < slice.size() ? allBut(failed, slice) : new int[0];",
              "failed.length < slice.size() ? slice.slots() : new int[0];"),
          new Mutation(
              "half of a failed call is forgotten",
              "BatchSend",
              "      slices.push(slice.secondHalf());\n",
              ""),
          new Mutation(
              "a flush does not wait for what is in flight",
              "Lane",
              "if (abandoned || settled == accepted()) {",
              "if (abandoned || waiting.size() == 0) {"),
          new Mutation(
              "writes that wait do not expire",
              "Lane",
              "waiting.takeOlderThan(now - limit);",
              "waiting.takeOlderThan(now - Nanos.FOREVER);"),
          new Mutation(
              "a batch has no limit in bytes",
              "PendingWrites",
              "(isOperation || sum > mostBytes)",
              "isOperation"),
          new Mutation(
              "an emptied queue still finds its keys",
              "PendingWrites",
              "      Arrays.fill(table, 0);\n",
              ""),
          new Mutation(
              "entries are as old as the first ever written",
              "PendingWrites",
              "    if (sameInstant == 0 || size() == 1) {",
              "    if (instant == 0) {"),
          new Mutation(
              "writes never wait for repeats of their keys", "Lane", "      holding = true;\n", ""),
          new Mutation(
              "a thin client's lanes know no primary nodes",
              "HashTopology",
              "        .ifPresent(placement -> last = placement);",
              "        .isPresent();"),
          new Mutation(
              "batches are not sorted",
              "BatchSend",
              "slice.sorted(batch) : slice.byPartition(batch)",
              "slice : slice"),
          new Mutation(
              "classes are not registered before they are written",
              "TypeRegistry",
              "registration != null ? registration.done.isDone() : object instanceof BinaryObject;",
              "true;"));

  /**
   * Judges all mutations, or those whose names contain the argument; exits with 1 if one survives.
   *
   * @param args the folder of the writer's sources and, if wished, a part of a mutation's name
   */
  public static void main(String[] args) throws Exception {
    Path sources = Path.of(args[0]);
    String wanted = args.length > 1 ? args[1] : "";
    String unmutated = outcome(sources, new Mutation("none", "Lane", "", ""));
    if (!unmutated.isEmpty()) {
      System.out.println("the tests fail without any mutation, by " + unmutated);
      System.exit(2);
    }
    int survived = 0;
    int judged = 0;
    for (Mutation mutation : ALL) {
      if (!mutation.name.contains(wanted)) {
        continue;
      }
      String killer = outcome(sources, mutation);
      survived += killer.isEmpty() ? 1 : 0;
      judged++;
      System.out.printf(
          "%-9s %s%s%n",
          killer.isEmpty() ? "SURVIVED" : "killed",
          mutation.name,
          killer.isEmpty() ? "" : ", by " + killer);
    }
    System.out.printf("%d of %d mutations killed%n", judged - survived, judged);
    System.exit(survived == 0 && judged > 0 ? 0 : 1);
  }

  /**
   * The test that failed first, in two of three runs, so that none fails by chance; empty if there
   * is none.
   */
  private static String outcome(Path sources, Mutation mutation) throws Exception {
    Path folder = Files.createTempDirectory("mutation");
    try {
      compile(sources, mutation, folder);
      String first = firstFailure(folder);
      String second = first.isEmpty() ? "" : firstFailure(folder);
      if (first.equals(second)) {
        return first;
      }
      String third = firstFailure(folder);
      return third.equals(first) || third.equals(second) ? third : "";
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
      }
    }
  }

  private static void compile(Path sources, Mutation mutation, Path folder) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-parameters"));
    arguments.addAll(
        List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path")));
    boolean found = false;
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        if (!file.endsWith(mutation.file + ".java")) {
          arguments.add(file.toString());
          continue;
        }
        String text = Files.readString(file);
        found = mutation.from.isEmpty() || text.split(quoted(mutation.from), -1).length == 2;
        Path mutated = folder.resolve(mutation.file + ".java");
        Files.writeString(mutated, text.replace(mutation.from, mutation.to));
        arguments.add(mutated.toString());
      }
    }
    if (!found) {
      throw new IllegalStateException(
          "'" + mutation.name + "' is out of date: its text must stand once in " + mutation.file);
    }
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    if (code != 0) {
      throw new IllegalStateException("'" + mutation.name + "' does not compile");
    }
  }

  private static String quoted(String text) {
    return java.util.regex.Pattern.quote(text);
  }

  private static String firstFailure(Path folder) throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "-cp", folder + ":" + System.getProperty("java.class.path")));
    command.add(Tests.class.getName());
    Process tests =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!tests.waitFor(SECONDS, TimeUnit.SECONDS)) {
      tests.destroyForcibly().waitFor();
      return "no answer in " + SECONDS + " s";
    }
    if (tests.exitValue() == 0) {
      return "";
    }
    return Files.readAllLines(log).stream()
        .filter(line -> line.startsWith(Tests.FAILED))
        .map(line -> line.substring(Tests.FAILED.length()))
        .findFirst()
        .orElse("the end of its process");
  }

  /** Runs the unit tests in this process until one fails. */
  static final class Tests implements TestExecutionListener {
    private static final String FAILED = "FAILED ";

    private Tests() {}

    /** Exits with 1 at the first failure. */
    public static void main(String[] args) {
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(DiscoverySelectors.selectPackage(Mutations.class.getPackageName()))
              .filters(ClassNameFilter.includeClassNamePatterns(".*Test"))
              .configurationParameter("junit.jupiter.execution.timeout.default", "60 s")
              .configurationParameter(
                  "junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
              .build();
      LauncherFactory.create().execute(request, new Tests());
      System.exit(0);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() == TestExecutionResult.Status.FAILED) {
        System.out.printf(Locale.ROOT, "%n%s%s%n", FAILED, test.getDisplayName());
        System.out.flush();
        Runtime.getRuntime().halt(1);
      }
    }
  }
}
