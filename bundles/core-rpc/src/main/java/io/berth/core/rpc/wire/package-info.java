/** Gateway messages to and from their form on the wire, one class per gateway. Pure functions; any thread. */
package io.berth.core.rpc.wire;
