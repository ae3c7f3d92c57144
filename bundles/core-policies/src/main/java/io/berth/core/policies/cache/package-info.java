/**
 * The workers, demands, slots, queues and admitted entries that policies see when they plan. Confined to the main thread of the
 * planner, which passes them to one call of a policy at a time. Uses the settings and records of {@code pools} only.
 */
@NullMarked
package io.berth.core.policies.cache;

import org.jspecify.annotations.NullMarked;
