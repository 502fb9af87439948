-- The history of a namespace looks at its incidents, cluster by cluster.
CREATE INDEX incident_namespace ON incident (subject_namespace, cluster_id);
-- A trend by status looks at the episodes that began in its range, as episode_ended serves those that ended.
CREATE INDEX episode_started ON episode (started_at);
