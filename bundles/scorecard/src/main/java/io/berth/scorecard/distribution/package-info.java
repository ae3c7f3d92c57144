/** The checks of distribution policies. They run on the thread of the judge. Uses {@code check}; the root knows it. */
@NullMarked
package io.berth.scorecard.distribution;

import org.jspecify.annotations.NullMarked;
