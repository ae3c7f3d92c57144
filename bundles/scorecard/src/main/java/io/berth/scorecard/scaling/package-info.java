/** The checks of scaling policies. They run on the thread of the judge. Uses {@code check}; the root knows it. */
@NullMarked
package io.berth.scorecard.scaling;

import org.jspecify.annotations.NullMarked;
