/**
 * What can be configured of the ResourceManager, checked when it is read. Immutable values, for every thread. Knows
 * {@code state} only, for the sums that limits of the cluster are compared with.
 */
package io.berth.core.resources.settings;
