package io.pyrometer.report;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A part of a page.
 *
 * @param id unique in its page, of letters, digits and hyphens: it is the address of the section
 * @param title a few words, which the navigation shows as well
 * @param lead a sentence or two on what the figures show; may be empty
 */
public record Section(String id, String title, String lead, List<Figure> figures) {
  /** Throws {@link IllegalArgumentException} on an id that is no address. */
  public Section {
    if (!id.matches("[A-Za-z][A-Za-z0-9-]*")) {
      throw new IllegalArgumentException("'" + id + "' cannot be the address of a section.");
    }
    figures = List.copyOf(figures);
  }

  /** A section with these figures. */
  public static Section of(String id, String title, String lead, Figure... figures) {
    return new Section(id, title, lead, List.of(figures));
  }

  /** Figures that a text shows: tables of later charts only repeat what has to be seen drawn. */
  List<Figure> inText() {
    return IntStream.range(0, figures.size())
        .filter(i -> i == 0 || figures.get(i).chart().isEmpty())
        .mapToObj(figures::get)
        .toList();
  }
}
