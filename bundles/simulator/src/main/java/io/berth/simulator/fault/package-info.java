/**
 * The faults of a world: faults of processes and of messages, habits of a seed, and actions of users. Confined to the
 * one thread that plays the world. Knows {@code world} and the rooms {@code network}, {@code job} and {@code time};
 * {@code seed} and the root know it.
 */
@NullMarked
package io.berth.simulator.fault;

import org.jspecify.annotations.NullMarked;
