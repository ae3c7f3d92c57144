/** What a check is, the thread it runs on, the marks that it leaves, and how cost is measured. Uses no other package. */
@NullMarked
package io.berth.scorecard.check;

import org.jspecify.annotations.NullMarked;
