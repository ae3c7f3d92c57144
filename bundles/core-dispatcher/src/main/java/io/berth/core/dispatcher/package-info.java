/**
 * The Dispatcher: its role and its term, how jobs are submitted and canceled, and what operators ask. The state of a
 * term is confined to the main thread of the Dispatcher, and calls may come on any thread. Knows all rooms; no room
 * knows it.
 */
@NullMarked
package io.berth.core.dispatcher;

import org.jspecify.annotations.NullMarked;
