/** Replays traces in virtual time on the unchanged ResourceManager and policies, and measures what comes of it. */
package io.berth.simulator.replay;
