/** Changes over the history of an experiment: when it became faster or slower, and by how much. */
package io.pyrometer.analysis.changepoint;
