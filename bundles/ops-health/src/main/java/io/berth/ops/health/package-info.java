/**
 * Health of this process over HTTP, for load balancers, Kubernetes and monitoring. Requests come on the threads of the HTTP
 * server; nothing here waits for anything. Knows {@code core-api} only.
 */
@NullMarked
package io.berth.ops.health;

import org.jspecify.annotations.NullMarked;
