package io.pyrometer.report;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * An ECharts option. What JSON cannot say is named: a {@code formatter} or {@code renderItem} of
 * {@code "fn:NAME"} is the function of that name in the page's script, and a colour of {@code
 * "var(--NAME)"} is the page's colour of that name, light or dark.
 *
 * @param option an ECharts 5 option
 * @param height in CSS pixels
 */
public record Chart(ObjectNode option, int height) {}
