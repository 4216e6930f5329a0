/** What a run's folder shows: rankings, the answer, the report's page and the exported figures. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results.run;
