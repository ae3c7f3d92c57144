/**
 * A job bundle with a service that counts on a thread of its own, for demos and tests. It depends only on the dataflow API, and
 * shows that components of a job bundle use each other as everywhere in OSGi.
 */
@NullMarked
package io.berth.example.service;

import org.jspecify.annotations.NullMarked;
