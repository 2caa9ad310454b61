package io.sluice.control.owner;

import io.sluice.plugins.bus.Owners;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Owners as one node sees them, moved by the test. */
public final class MovableOwners implements Owners {
    private final String node;
    private final Map<String, String> owners;
    private final Map<String, String> ownView = new ConcurrentHashMap<>();

    /** @param owners as all nodes see them that see nothing else */
    public MovableOwners(String node, Map<String, String> owners) {
        this.node = node;
        this.owners = owners;
    }

    /** From now on this node alone believes that. */
    public void believe(String key, String owner) {
        ownView.put(key, owner);
    }

    /** This node sees what all see. */
    public void agree() {
        ownView.clear();
    }

    @Override
    public String node() {
        return node;
    }

    @Override
    public Optional<String> ownerOf(String key) {
        String own = ownView.get(key);
        return Optional.ofNullable(own != null ? own : owners.get(key));
    }
}
