/**
 * What labels and taints of workers may be, and how constraints compare them: for the messages of the core, which embed
 * it, and for the checks. Pure functions on any thread. Uses no other package.
 */
@NullMarked
package io.berth.policy.rules.labels;

import org.jspecify.annotations.NullMarked;
