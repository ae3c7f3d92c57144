package io.berth.core.api.gateway;

/** The receiver has handled the message. */
public enum Acknowledge {
    ACKNOWLEDGE
}
