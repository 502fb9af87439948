-- An incident whose objects turn out to be those of another workload goes into that one's incident. Who was told of it is told that it
-- ended: its last change says where it went, and keeps what it was, because nothing else does.
ALTER TABLE incident_change ADD COLUMN merged_into uuid, ADD COLUMN gone jsonb;
CREATE INDEX incident_change_gone ON incident_change (incident_id) WHERE gone IS NOT NULL;

-- Whether a failure was told as one of many in a digest: a receiver that keeps one alert for a digest has none of this incident's own.
ALTER TABLE webhook_told ADD COLUMN counted boolean NOT NULL DEFAULT false;

-- Messages that were delivered count too: one that was given up must not come after a later one of its incident.
DROP INDEX webhook_delivery_order;
CREATE INDEX webhook_delivery_order ON webhook_delivery (webhook_id, incident_id, seq) WHERE incident_id IS NOT NULL;
