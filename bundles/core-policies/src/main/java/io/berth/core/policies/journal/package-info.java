/**
 * The journal of decisions: frames as bytes, in files of bounded size, and their reader. Planners hand frames over on
 * their main threads; one thread encodes and writes. Uses frames, the tables' states and the settings of pools.
 */
@NullMarked
package io.berth.core.policies.journal;

import org.jspecify.annotations.NullMarked;
