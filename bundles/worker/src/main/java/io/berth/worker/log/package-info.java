/**
 * What tasks and the worker itself print and log, and the files that keep it. Tasks hand over text on any thread, one
 * thread of this package writes it; readers may use any thread that may block. It knows the layout of {@code core-api}
 * and no other package of the worker.
 */
@NullMarked
package io.berth.worker.log;

import org.jspecify.annotations.NullMarked;
