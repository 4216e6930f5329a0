/** What sampled stacks say of where CPU time goes. */
package io.pyrometer.analysis.profile;
