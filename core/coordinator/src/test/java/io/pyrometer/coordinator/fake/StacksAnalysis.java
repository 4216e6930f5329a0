package io.pyrometer.coordinator.fake;

import io.pyrometer.experiment.model.AnalysisDeclaration;

/** An analysis that needs profiled trials and an examination of the grid. */
public final class StacksAnalysis implements AnalysisDeclaration {
  public static final String ID = "stacks";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public boolean needsProfiles() {
    return true;
  }

  @Override
  public boolean needsExamination() {
    return true;
  }
}
