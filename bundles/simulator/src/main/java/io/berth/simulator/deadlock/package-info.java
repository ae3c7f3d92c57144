/**
 * Plays many small clusters on which units compete for slots, with and without the rule that prevents deadlocks
 * (FLIP-156, Resource Deadlock; FLIP-119, Bulk Slot Allocation). Each is confined to one thread and has no faults but
 * slow messages and lost workers. Knows the rooms of time, network and tasks, and of the world only its settings and
 * threads; only the root knows it.
 */
@NullMarked
package io.berth.simulator.deadlock;

import org.jspecify.annotations.NullMarked;
