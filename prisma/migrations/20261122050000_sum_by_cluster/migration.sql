-- The cells of one problem in all clusters as one row: the history of a problem would else read as many cells of each as there are
-- clusters, nearly every one of them on a page of its own. Made with rollup_everywhere, of the same hours, by the same job.
CREATE TABLE rollup_by_cluster (
  problem_id  text NOT NULL,
  minutes     smallint NOT NULL,
  at          timestamptz NOT NULL,
  -- Ascending. The others have one value for each of them, in the same order.
  cluster_ids integer[] NOT NULL,
  occurrences bigint[] NOT NULL,
  opened      integer[] NOT NULL,
  reopened    integer[] NOT NULL,
  resolved    integer[] NOT NULL,
  resolve_ms  bigint[] NOT NULL,
  PRIMARY KEY (problem_id, minutes, at)
) WITH (fillfactor = 80);

INSERT INTO rollup_by_cluster
SELECT r.problem_id, r.minutes, r.at, array_agg(r.cluster_id ORDER BY r.cluster_id), array_agg(r.occurrences ORDER BY r.cluster_id),
  array_agg(r.opened ORDER BY r.cluster_id), array_agg(r.reopened ORDER BY r.cluster_id), array_agg(r.resolved ORDER BY r.cluster_id),
  array_agg(r.resolve_ms ORDER BY r.cluster_id)
FROM rollup_problem r JOIN cluster c ON c.id = r.cluster_id AND c.removing_at IS NULL
GROUP BY r.problem_id, r.minutes, r.at ORDER BY r.at, r.minutes, r.problem_id;
