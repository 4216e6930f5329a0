package io.pyrometer.experiment;

import io.pyrometer.protocol.Settings;
import java.util.Map;
import java.util.Set;

/**
 * One combination of levels.
 *
 * @param levels a level's label by factor, in the order of the factors
 * @param settings what the file gives for it
 * @param varied the settings that this treatment is there to vary
 */
record Treatment(Map<String, String> levels, Settings settings, Set<String> varied) {}
