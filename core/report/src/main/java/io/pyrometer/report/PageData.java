package io.pyrometer.report;

import java.util.List;
import java.util.Optional;

/**
 * A page as data: its findings and the cells of its tables, without charts, for {@code --json}.
 *
 * @param schema version of this form
 */
public record PageData(
    int schema,
    String title,
    String question,
    String about,
    Optional<Page.Recommendation> recommendation,
    List<Finding> findings,
    List<SectionData> sections) {
  private static final int SCHEMA = 1;

  /** One section. */
  public record SectionData(String id, String title, List<TableData> tables) {}

  /** A table as it is shown. */
  public record TableData(String caption, List<String> header, List<List<String>> rows) {}

  /** The data of a page. */
  public static PageData of(Page page) {
    return new PageData(
        SCHEMA,
        page.title(),
        page.question(),
        page.about(),
        page.recommendation(),
        page.answer(),
        page.sections().stream().map(PageData::section).toList());
  }

  private static SectionData section(Section section) {
    return new SectionData(
        section.id(),
        section.title(),
        section.figures().stream()
            .map(e -> new TableData(e.caption(), e.table().header(), e.table().rows()))
            .toList());
  }
}
