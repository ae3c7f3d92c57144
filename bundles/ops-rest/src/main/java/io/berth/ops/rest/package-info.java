/**
 * The REST interface: it translates requests into calls of the operations of {@code core-api}.
 * Requests come on the threads of the HTTP server; nothing here belongs to a main thread.
 * Knows {@code core-api} only.
 */
@NullMarked
package io.berth.ops.rest;

import org.jspecify.annotations.NullMarked;
