package io.berth.core.dispatcher.store;

import io.berth.core.dispatcher.store.RecordReader.UnreadableRecordException;
import io.berth.spi.ha.DamagedRecordException;
import io.berth.spi.ha.MetadataStore;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of tokens in the metadata store during one term. Calls block. The caller makes one call at a time. After one
 * that failed it is not known whether it changed the record: read all again.
 */
public final class TokenStore {

    private static final Logger LOG = LoggerFactory.getLogger(TokenStore.class);

    private final MetadataStore store;

    public TokenStore(MetadataStore store) {
        this.store = store;
    }

    /** All tokens by their ids. A record that is damaged counts as none, so its token is not valid. */
    public SortedMap<String, StoredToken> read() throws IOException {
        SortedMap<String, StoredToken> tokens = new TreeMap<>();
        for (String key : store.keys(StoredToken.PREFIX)) {
            try {
                Optional<Versioned> record = store.read(key);
                if (record.isPresent()) {
                    StoredToken token = StoredToken.read(record.get().value());
                    tokens.put(token.details().id(), token);
                }
            } catch (DamagedRecordException | UnreadableRecordException damaged) {
                LOG.error("Token record '{}' cannot be read, so its token is not valid: {}", key, damaged.getMessage());
            }
        }
        return tokens;
    }

    /** Stores a token whose id no other one has. */
    public void add(StoredToken token) throws IOException {
        if (store.write(token.key(), MetadataStore.ABSENT, token.bytes()) instanceof WriteResult.Conflict) {
            throw new IOException("record '" + token.key() + "' already exists");
        }
    }

    /** Removes a token; one that is not there is not missed. */
    public void remove(StoredToken token) throws IOException {
        Optional<Versioned> record = store.read(token.key());
        if (record.isPresent() && store.delete(token.key(), record.get().version()) instanceof WriteResult.Conflict) {
            throw new IOException("another process changed record '" + token.key() + "'");
        }
    }
}
