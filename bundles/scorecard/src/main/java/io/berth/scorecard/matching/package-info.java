/** The checks of matching strategies. They run on the thread of the judge. Uses {@code check}; the root knows it. */
@NullMarked
package io.berth.scorecard.matching;

import org.jspecify.annotations.NullMarked;
