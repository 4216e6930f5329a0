package io.pyrometer.experiment;

import io.pyrometer.experiment.Draft.DraftFactor;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The checks of an experiment that look at several places at once. */
final class DraftCheck {

  private static final Set<FieldType> NUMERIC =
      Set.of(FieldType.LONG, FieldType.INT, FieldType.DOUBLE, FieldType.FLOAT);

  private final Draft draft;
  private final Vocabulary vocabulary;
  private final Problems problems;

  DraftCheck(Draft draft, Vocabulary vocabulary, Problems problems) {
    this.draft = draft;
    this.vocabulary = vocabulary;
    this.problems = problems;
  }

  void check() {
    checkSetOnce();
    draft.record().ifPresent(record -> new RecordUse(draft, problems).check(record));
    draft.noNodes().ifPresent(this::checkNoNodes);
    new TreatmentCheck(vocabulary, problems, draft::where, draft.end())
        .check(draft.treatments(), draft.pathMayBeLost());
  }

  private void checkSetOnce() {
    Map<String, String> owner = new HashMap<>();
    for (DraftFactor factor : draft.factors()) {
      List<String> mine = new ArrayList<>();
      factor.levels().forEach(level -> mine.addAll(level.given().settings().values().keySet()));
      for (String setting : new TreeSet<>(mine)) {
        checkNotElsewhere(factor, setting, owner.putIfAbsent(setting, factor.name()));
      }
    }
  }

  private void checkNotElsewhere(DraftFactor factor, String setting, @Nullable String other) {
    if (other != null) {
      problems.add(
          factor.at(),
          "the factors '"
              + other
              + "' and '"
              + factor.name()
              + "' both set '"
              + setting
              + "'; leave it to one of them.");
    }
    Position before = draft.base().at().get(setting);
    if (before != null && !factor.levels().isEmpty() && factor.alwaysSets(setting)) {
      problems.add(
          before,
          "'"
              + setting
              + "' is set here and by factor '"
              + factor.name()
              + "', whose levels all set it; remove it here.");
    }
  }

  private void checkNoNodes(String why) {
    for (Given given : draft.allGiven()) {
      given
          .at()
          .forEach(
              (name, at) ->
                  vocabulary
                      .setting(name)
                      .filter(Vocabulary::ofNodes)
                      .ifPresent(
                          setting ->
                              problems.add(
                                  at,
                                  "'"
                                      + name
                                      + "' belongs to nodes that Pyrometer starts, and "
                                      + why)));
    }
  }

  /** Whether a field can be aggregated over. */
  static boolean numeric(FieldShape field) {
    return NUMERIC.contains(field.type());
  }
}
