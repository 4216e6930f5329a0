/** Whether one treatment is better than another, by intervals first and by ranks beside them. */
package io.pyrometer.analysis.comparison;
