/**
 * The workers, demands and admitted entries that policies see when they plan. Confined to the main thread of the
 * planner, which hands it over to one call of a policy at a time. Knows no other room.
 */
@NullMarked
package io.berth.core.policies.cache;

import org.jspecify.annotations.NullMarked;
