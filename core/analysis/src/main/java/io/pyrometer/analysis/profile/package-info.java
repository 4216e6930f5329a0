/** CPU time by category, from sampled stacks. */
package io.pyrometer.analysis.profile;
