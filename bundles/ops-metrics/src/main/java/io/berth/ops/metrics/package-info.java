/** Translates the figures of the control plane into the text format of Prometheus and into MBeans. */
package io.berth.ops.metrics;
