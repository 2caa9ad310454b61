-- Makes the end of a node's copy of spend the end of the log that all nodes follow; ops/docs/runbooks/restore.md says when.
--   sqlite3 COPY/spend.db <ops/deploy/spend-to-redis.sql | redis-cli -h PRIMARY
-- What the Redis had of the log is gone afterwards, and nothing else. Each line is a command of redis-cli; all of them are one
-- transaction. Nodes that have less than this copy fetch it; the entry that stands for it says no more than that.

SELECT 'MULTI';

SELECT 'DEL sluice:{spend}:log sluice:{spend}:places sluice:{spend}:state';

SELECT 'HSET sluice:{spend}:state last ' || position || ' bytes 40' FROM log_mark;

SELECT 'XADD sluice:{spend}:log ' || position || '-0 i "' || id
  || '" e "\x78\xda\xab\x56\xca\xce\xcc\x4b\x51\xb2\x52\x72\x4a\x4d\x4f\xcc\x53\xd2\x51\xca\xcb\x4f\x49\x05\x72\x8b\x52\x8b\x4b\xf2\x8b\x52\x53\x94\x6a\x01\xbd\xec\x0b\x3a"'
FROM log_mark;

SELECT 'HSET sluice:{spend}:places "' || replace(replace(journal || '|' || node, '\', '\\'), '"', '\"') || '" ' || seq FROM position;

SELECT 'EXEC';
