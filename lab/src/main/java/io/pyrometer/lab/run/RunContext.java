package io.pyrometer.lab.run;

import io.pyrometer.lab.journal.PlannedRun;
import io.pyrometer.lab.journal.RunFolder;
import io.pyrometer.lab.machine.Limits;
import io.pyrometer.lab.process.Distribution;
import java.time.Clock;

/** What a run is made from. */
public record RunContext(
    PlannedRun plan,
    RunFolder folder,
    Distribution distribution,
    Limits limits,
    Clock clock,
    Progress progress) {}
