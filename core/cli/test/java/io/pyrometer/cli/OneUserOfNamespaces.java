package io.pyrometer.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Lets one test at a time make network namespaces and look for what is left of them, because test
 * classes run in several JVMs at once.
 */
final class OneUserOfNamespaces implements BeforeEachCallback, AfterEachCallback {

  /** Of a command of this machine, words separated by blanks; −1 where there is none. */
  static int exitCode(String command) throws InterruptedException {
    try {
      return new ProcessBuilder(command.split(" ", -1))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException absent) {
      return -1;
    }
  }

  @Override
  public void beforeEach(ExtensionContext test) throws IOException {
    FileChannel channel =
        FileChannel.open(
            Path.of("target", "namespaces.lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    store(test).put(FileLock.class, channel.lock());
  }

  @Override
  public void afterEach(ExtensionContext test) throws IOException {
    Objects.requireNonNull(store(test).remove(FileLock.class, FileLock.class)).acquiredBy().close();
  }

  private static ExtensionContext.Store store(ExtensionContext test) {
    return test.getStore(Namespace.create(OneUserOfNamespaces.class));
  }
}
