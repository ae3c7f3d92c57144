/**
 * Counts and measures calls, decisions and swaps. Thread-safe, and measuring a call takes no lock. Knows {@code
 * registration} only.
 */
@NullMarked
package io.berth.core.policies.meters;

import org.jspecify.annotations.NullMarked;
