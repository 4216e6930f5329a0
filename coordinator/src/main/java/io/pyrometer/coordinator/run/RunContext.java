package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.testbed.Distribution;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.ValidityLimits;
import java.time.Clock;

/** What a run is made from. */
public record RunContext(
    PlannedRun plan,
    RunFolder folder,
    Distribution distribution,
    ValidityLimits limits,
    Clock clock,
    Progress progress) {}
