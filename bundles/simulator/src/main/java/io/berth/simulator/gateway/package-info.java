/**
 * Gateways with observers of calls, and the late messages that are sent through them. Confined to the one thread that
 * plays the world. Knows only {@code time}; {@code oracle}, {@code world} and {@code seed} know it.
 */
@NullMarked
package io.berth.simulator.gateway;

import org.jspecify.annotations.NullMarked;
