/** Translates the figures of the control plane into the text format of Prometheus and into MBeans. */
@NullMarked
package io.berth.ops.metrics;

import org.jspecify.annotations.NullMarked;
