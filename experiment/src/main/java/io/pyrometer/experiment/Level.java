package io.pyrometer.experiment;

import io.pyrometer.protocol.Settings;

/**
 * A value that a factor takes.
 *
 * @param label unique in its factor; as written in the file
 * @param settings what holds at this level, canonical units
 */
public record Level(String label, Settings settings) {}
