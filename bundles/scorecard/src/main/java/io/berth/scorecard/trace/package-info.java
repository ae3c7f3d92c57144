/** What policies do when traces of jobs are replayed with them. */
@NullMarked
package io.berth.scorecard.trace;

import org.jspecify.annotations.NullMarked;
