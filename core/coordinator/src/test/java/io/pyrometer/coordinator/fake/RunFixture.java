package io.pyrometer.coordinator.fake;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of runs on fake processes, each in a folder of its own. */
public abstract class RunFixture {
  @TempDir protected Path runs;
  protected FakeRun run;

  @BeforeEach
  protected void newRun() {
    run = new FakeRun(runs);
  }
}
