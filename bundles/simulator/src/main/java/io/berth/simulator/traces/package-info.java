/** Traces of clusters, jobs and outages: what they are, and readers of the formats that they come in. */
package io.berth.simulator.traces;
