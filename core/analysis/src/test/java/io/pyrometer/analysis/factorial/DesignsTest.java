package io.pyrometer.analysis.factorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.factorial.Designs.ClearSearch;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DesignsTest {
  static List<Map<String, String>> catalogue() {
    return Golden.csv("/golden/minimum-aberration-catalogue.csv");
  }

  private static String lengths(TwoLevelDesign design) {
    List<String> words = List.of(design.definingRelation().replace("−", "").split("="));
    return IntStream.rangeClosed(3, design.factors().size())
        .mapToObj(length -> words.stream().filter(word -> word.length() == length).count())
        .map(String::valueOf)
        .collect(Collectors.joining("|"));
  }

  private static List<AliasChain> clear(TwoLevelDesign design) {
    return design.aliasChains().stream()
        .filter(chain -> chain.first().order() == 2 && chain.rivals(2).isEmpty())
        .toList();
  }

  private static Set<String> words(String relation) {
    return new HashSet<>(List.of(relation.split("=")));
  }

  @ParameterizedTest
  @MethodSource("catalogue")
  void everyDesignOfTheCatalogueIsAsPublished(Map<String, String> row) {
    int k = Integer.parseInt(row.get("k"));
    int runs = Integer.parseInt(row.get("runs"));
    TwoLevelDesign design = Designs.fraction(Factors.letters(k), runs, List.of());
    assertThat(design.runs()).isEqualTo(runs);
    assertThat(design.resolution()).isEqualTo(Integer.parseInt(row.get("resolution")));
    assertThat(words(design.definingRelation())).isEqualTo(words(row.get("defining_words")));
    assertThat(lengths(design)).isEqualTo(row.get("wlp_A3_to_Ak"));
    assertThat(clear(design)).hasSize(Integer.parseInt(row.get("clear_2fi")));
    TwoLevelDesign generated =
        Designs.fromGenerators(Factors.letters(k), List.of(row.get("generators").split(" ")));
    assertThat(generated.signs()).isDeepEqualTo(design.signs());
  }

  @Test
  void aliasTablesAreThoseOfTheVectors() {
    Map<String, TwoLevelDesign> designs = new HashMap<>();
    for (Map<String, String> row : Golden.csv("/golden/alias-tables.csv")) {
      TwoLevelDesign design =
          designs.computeIfAbsent(
              row.get("generators"),
              text -> Designs.fromGenerators(Factors.letters(6), List.of(text.split(";"))));
      assertThat(design.definingRelation()).isEqualTo(row.get("defining_relation"));
      assertThat(design.resolution()).isEqualTo(Integer.parseInt(row.get("resolution")));
      assertThat(lengths(design)).isEqualTo(row.get("wlp_A3..A6"));
      assertThat(design.aliasChains()).hasSize(15);
      int column = EffectAliases.parse(row.get("column_in_basic_design"), design.factors());
      assertThat(design.chain(column).letters()).isEqualTo(row.get("alias_chain"));
    }
    assertThat(designs).hasSize(2);
  }

  @Test
  void generatorsMayNameFactors() {
    TwoLevelDesign named =
        Designs.fromGenerators(
            Factors.published(),
            List.of("region=nodes*awareness", "cores = partitioned × persistence"));
    assertThat(named.definingRelation()).isEqualTo("I=ABE=CDF=ABCDEF");
    assertThat(named.levels(0))
        .containsEntry("nodes", "2")
        .containsEntry("region", "2048")
        .containsEntry("cores", "2");
  }

  @Test
  void aGeneratorMayBeNegative() {
    TwoLevelDesign design = Designs.fromGenerators(Factors.letters(3), List.of("C=-AB"));
    assertThat(design.definingRelation()).isEqualTo("I=−ABC");
    assertThat(design.signs()[0][2]).isEqualTo(-1);
  }

  @Test
  void foldingThePublishedDesignOverGivesResolutionSix() {
    TwoLevelDesign design = Designs.fromGenerators(Factors.letters(6), List.of("E=AB", "F=CD"));
    TwoLevelDesign both = design.withFoldover();
    assertThat(both.runs()).isEqualTo(32);
    assertThat(both.resolution()).isEqualTo(6);
    assertThat(both.definingRelation()).isEqualTo("I=ABCDEF");
    assertThatThrownBy(both::withFoldover).isInstanceOf(BadDataException.class);
  }

  @Test
  void interactionsThatMustStayClearStayClear() {
    List<Factor> factors = Factors.published();
    TwoLevelDesign design = Designs.fraction(factors, 16, List.of("awareness*partitioned", "AB"));
    assertThat(design.runs()).isEqualTo(16);
    assertThat(clear(design).stream().map(c -> c.first().letters())).contains("BC", "AB");
    assertThat(design.resolution()).isEqualTo(3);
    TwoLevelDesign larger = Designs.fraction(factors, 32, List.of("BC", "AB", "DE"));
    assertThat(larger.resolution()).isEqualTo(6);
  }

  @Test
  void whatTheSearchFindsHasTheAberrationOfTheCatalogue() {
    for (int k = 5; k <= 7; k++) {
      List<Factor> factors = Factors.letters(k);
      TwoLevelDesign found = new ClearSearch(factors, 4, List.of()).best().orElseThrow();
      assertThat(lengths(found)).isEqualTo(lengths(Designs.fraction(factors, 16, List.of())));
    }
  }

  @Test
  void aFractionBeyondTheCatalogueIsSearchedFor() {
    TwoLevelDesign found = Designs.fraction(Factors.letters(12), 16, List.of());
    assertThat(found.runs()).isEqualTo(16);
    assertThat(found.resolution()).isEqualTo(3);
  }

  @Test
  void designsThatCannotBeMadeAreRefused() {
    List<Factor> three = Factors.letters(3);
    assertThatThrownBy(() -> Designs.fromGenerators(three, List.of("C=AX")))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("AX");
    for (ThrowingCallable wrong :
        List.<ThrowingCallable>of(
            () -> Designs.fromGenerators(three, List.of("C")),
            () -> Designs.fromGenerators(three, List.of("C=AB", "B=AC")),
            () -> Designs.fraction(three, 6, List.of()),
            () -> Designs.fraction(three, 16, List.of()),
            () -> Designs.fraction(Factors.letters(9), 8, List.of()),
            () -> Designs.fraction(Factors.letters(7), 8, List.of("AB")),
            () -> new Factor("nodes", List.of("2")),
            () -> Designs.full(List.of(new Factor("x", List.of("1", "2", "3")))))) {
      assertThatThrownBy(wrong).isInstanceOf(BadDataException.class);
    }
  }

  @Property(tries = 50, seed = "2026")
  void everyFullDesignIsBalancedAndHasNoAliases(@ForAll @IntRange(min = 1, max = 7) int k) {
    TwoLevelDesign design = Designs.full(Factors.letters(k));
    assertThat(design.runs()).isEqualTo(1 << k);
    assertThat(design.definingRelation()).isEqualTo("I");
    assertThat(design.aliasChains())
        .hasSize((1 << k) - 1)
        .allSatisfy(chain -> assertThat(chain.terms()).hasSize(1));
    for (int word : design.representatives()) {
      IntStream products =
          Arrays.stream(design.signs())
              .mapToInt(
                  signs ->
                      EffectAliases.factors(word).map(f -> signs[f]).reduce(1, (a, b) -> a * b));
      assertThat(products.sum()).isZero();
    }
  }

  @Test
  void allCombinationsAreADesign() {
    assertThat(Designs.fraction(Factors.letters(3), 8, List.of("AB")).definingRelation())
        .isEqualTo("I");
  }
}
