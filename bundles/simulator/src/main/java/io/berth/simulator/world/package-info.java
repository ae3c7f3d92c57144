/**
 * The simulated cluster: processes of the control plane and of workers, which run the unchanged core classes, and the
 * elections and backends around them. Confined to the one thread that plays the world. Knows {@code network}, {@code
 * job}, {@code gateway}, {@code oracle} and {@code time}; {@code fault}, {@code recovery}, {@code seed} and the root
 * know it.
 */
@NullMarked
package io.berth.simulator.world;

import org.jspecify.annotations.NullMarked;
