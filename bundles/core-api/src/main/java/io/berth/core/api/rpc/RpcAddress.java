package io.berth.core.api.rpc;

/**
 * The address at which a process serves its endpoints.
 *
 * @param host host name or literal address
 * @param port 1 to 65535
 */
public record RpcAddress(String host, int port) {

    public RpcAddress {
        if (host.isBlank() || port < 1 || port > 65535) {
            throw new IllegalArgumentException(
                    "address '" + host + ":" + port + "': allowed is HOST:PORT with a port from 1 to 65535");
        }
    }

    /**
     * Reads HOST:PORT.
     *
     * @throws IllegalArgumentException when the text is invalid; the message names it and what is allowed
     */
    public static RpcAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        try {
            return new RpcAddress(text.substring(0, Math.max(colon, 0)), Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException failure) {
            throw new IllegalArgumentException(
                    "address '" + text + "': allowed is HOST:PORT with a port from 1 to 65535", failure);
        }
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
