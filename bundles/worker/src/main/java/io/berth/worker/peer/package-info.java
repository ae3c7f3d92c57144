/**
 * What it takes to deal with a peer that may be slow, lost or replaced: bounded calls, back-off, heartbeats, and the
 * search for a leader. Each object is confined to the main thread of its owner; {@code Attempts} has no state and is
 * for every thread. Knows {@code settings} only; {@code code}, {@code connection}, {@code store}, {@code task} and the
 * root know it.
 */
@NullMarked
package io.berth.worker.peer;

import org.jspecify.annotations.NullMarked;
