/**
 * The commands that show the cluster, its workers and its slots, and block workers. Confined to the main thread of the
 * process. Knows {@code console} only; {@code process} and the root know it.
 */
@NullMarked
package io.berth.ops.cli.cluster;

import org.jspecify.annotations.NullMarked;
