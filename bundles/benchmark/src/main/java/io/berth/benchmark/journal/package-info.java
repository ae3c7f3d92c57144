/**
 * What recording decisions costs. Driven by the main thread; the journal writes on a thread of its own. Knows {@code
 * decision}, {@code measure} and {@code report}; only the root knows it.
 */
@NullMarked
package io.berth.benchmark.journal;

import org.jspecify.annotations.NullMarked;
