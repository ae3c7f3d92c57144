/**
 * The commands that submit, follow, show and cancel jobs. Confined to the main thread of the process. Knows
 * {@code console} only; {@code process} and the root know it.
 */
@NullMarked
package io.berth.ops.cli.job;

import org.jspecify.annotations.NullMarked;
