/**
 * Counts and measures calls, decisions and swaps. Thread-safe, and measuring a call takes no lock. Uses {@code
 * registration} only.
 */
@NullMarked
package io.berth.core.policies.meters;

import org.jspecify.annotations.NullMarked;
