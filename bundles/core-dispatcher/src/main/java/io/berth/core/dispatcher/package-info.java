/**
 * The Dispatcher: its role, its term, submission and cancellation of jobs, and the requests of operators. The state of
 * a term is confined to the main thread of the Dispatcher; any thread may call it. This package uses all its
 * subpackages, and none of them uses it.
 */
@NullMarked
package io.berth.core.dispatcher;

import org.jspecify.annotations.NullMarked;
