/**
 * The configuration of the ResourceManager, checked when it is read. Immutable values. Depends on {@code state} only,
 * for the sums that are compared with the limits of the cluster.
 */
@NullMarked
package io.berth.core.resources.settings;

import org.jspecify.annotations.NullMarked;
