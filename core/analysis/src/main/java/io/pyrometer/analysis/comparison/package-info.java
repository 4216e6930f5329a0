/** Whether one treatment is better than another: verdicts, gates, and looks after every block. */
package io.pyrometer.analysis.comparison;
