/**
 * What can be configured of the ResourceManager, checked when it is read. Immutable values, for every thread. Knows
 * {@code state} only, for the sums that limits of the cluster are compared with.
 */
@NullMarked
package io.berth.core.resources.settings;

import org.jspecify.annotations.NullMarked;
