package io.berth.spi.ha;

import java.io.IOException;

/** A record exists, but no version of it can be read. The message names the record and what an operator can do. */
public final class DamagedRecordException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String key;

    public DamagedRecordException(String key, String message) {
        super(message);
        this.key = key;
    }

    /** Key of the record that cannot be read. */
    public String key() {
        return key;
    }
}
