-- Makes a node's copy of the configuration the log that all nodes follow; ops/docs/runbooks/restore.md says when.
--   sqlite3 COPY/config.db <ops/deploy/config-to-redis.sql | redis-cli -h PRIMARY
-- What the Redis had of the configuration is gone afterwards, and nothing else. Each line is a command of redis-cli; all of them
-- are one transaction.

SELECT 'MULTI';

SELECT 'DEL sluice:{config}:head sluice:{config}:batches sluice:{config}:objects sluice:{config}:audit';

SELECT 'HSET sluice:{config}:head position ' || at.value || ' id "' || batch.value || '" epoch ' || epoch.value || ' secret "' || secret.value || '"'
FROM meta at, meta batch, meta epoch, meta secret
WHERE at.name = 'position' AND batch.name = 'batch' AND epoch.name = 'epoch' AND secret.name = 'secret';

SELECT 'HSET sluice:{config}:objects "' || replace(replace(kind || '|' || owner || '|' || id, '\', '\\'), '"', '\"') || '" "'
  || replace(replace(json_object('kind', kind, 'owner', owner, 'id', id, 'json', json), '\', '\\'), '"', '\"') || '"'
FROM object;

SELECT 'RPUSH sluice:{config}:audit "'
  || replace(replace(json_object('id', id, 'at', at, 'tenant', nullif(tenant, ''), 'actor', actor, 'action', action, 'subject', subject,
       'detail', json(detail), 'hash', hash), '\', '\\'), '"', '\"') || '"'
FROM audit
ORDER BY id;

SELECT 'EXEC';
