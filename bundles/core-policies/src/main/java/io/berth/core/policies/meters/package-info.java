/**
 * Counts and measures calls, decisions and swaps. Thread-safe, and measuring a call takes no lock. Knows {@code
 * registration} only.
 */
package io.berth.core.policies.meters;
