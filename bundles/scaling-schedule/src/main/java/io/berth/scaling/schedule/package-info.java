/**
 * The scaling policy {@code schedule}: parallelism by the day of the week and the time of day. Calls to a session come
 * one at a time, on threads of this bundle. It depends only on the SPI.
 */
@NullMarked
package io.berth.scaling.schedule;

import org.jspecify.annotations.NullMarked;
