/** Whether something outside the experiment disturbed a trial. */
package io.pyrometer.analysis.validity;
