/** Factors, designs and the treatments that they give. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.experiment.design;
