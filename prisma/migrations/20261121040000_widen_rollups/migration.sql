-- What happened, summed up: what history and trends are answered from. Four tables with the same measures, each of them in cells of
-- 15, 60 and 1440 minutes that begin at `at` (UTC): quarters because of zones such as India's and Nepal's, days so that a
-- question about months reads little. A cell is written only by its cluster's one writer. docs/trends.md tells how they are read.

-- By cluster, namespace and problem: everything else is a sum of these.
CREATE TABLE rollup_namespace_problem (
  cluster_id  integer NOT NULL REFERENCES cluster ON DELETE CASCADE,
  minutes     smallint NOT NULL,
  at          timestamptz NOT NULL,
  namespace   text NOT NULL,
  problem_id  text NOT NULL,
  occurrences bigint NOT NULL,
  opened      integer NOT NULL,
  reopened    integer NOT NULL,
  resolved    integer NOT NULL,
  resolve_ms  bigint NOT NULL,
  PRIMARY KEY (cluster_id, minutes, at, namespace, problem_id)
) WITH (fillfactor = 80);

CREATE TABLE rollup_problem (
  cluster_id  integer NOT NULL REFERENCES cluster ON DELETE CASCADE,
  minutes     smallint NOT NULL,
  at          timestamptz NOT NULL,
  problem_id  text NOT NULL,
  occurrences bigint NOT NULL,
  opened      integer NOT NULL,
  reopened    integer NOT NULL,
  resolved    integer NOT NULL,
  resolve_ms  bigint NOT NULL,
  PRIMARY KEY (cluster_id, minutes, at, problem_id)
) WITH (fillfactor = 80);

CREATE TABLE rollup_namespace (
  cluster_id  integer NOT NULL REFERENCES cluster ON DELETE CASCADE,
  minutes     smallint NOT NULL,
  at          timestamptz NOT NULL,
  namespace   text NOT NULL,
  occurrences bigint NOT NULL,
  opened      integer NOT NULL,
  reopened    integer NOT NULL,
  resolved    integer NOT NULL,
  resolve_ms  bigint NOT NULL,
  PRIMARY KEY (cluster_id, minutes, at, namespace)
) WITH (fillfactor = 80);

CREATE TABLE rollup_cluster (
  cluster_id  integer NOT NULL REFERENCES cluster ON DELETE CASCADE,
  minutes     smallint NOT NULL,
  at          timestamptz NOT NULL,
  occurrences bigint NOT NULL,
  opened      integer NOT NULL,
  reopened    integer NOT NULL,
  resolved    integer NOT NULL,
  resolve_ms  bigint NOT NULL,
  PRIMARY KEY (minutes, at, cluster_id)
) WITH (fillfactor = 80);

-- From what is stored. Sightings and episodes tell the quarter of an hour.
INSERT INTO rollup_namespace_problem
SELECT cluster_id, 15, date_bin('15 minutes', at, 'epoch'), namespace, problem_id, sum(occurrences), sum(opened), sum(reopened), sum(resolved), sum(resolve_ms)
FROM (
  SELECT a.cluster_id, s.at, a.namespace, a.problem_id, s.growth AS occurrences, 0 AS opened, 0 AS reopened, 0 AS resolved, 0::bigint AS resolve_ms
  FROM sighting s JOIN affected a ON a.id = s.affected_id
  UNION ALL
  SELECT i.cluster_id, e.started_at, i.subject_namespace, i.problem_id, 0, (e.number = 1)::integer, (e.number > 1)::integer, 0, 0
  FROM (SELECT *, row_number() OVER (PARTITION BY incident_id ORDER BY started_at) AS number FROM episode) e JOIN incident i ON i.id = e.incident_id
  UNION ALL
  SELECT i.cluster_id, e.ended_at, i.subject_namespace, i.problem_id, 0, 0, 0, 1, round(extract(epoch FROM e.ended_at - e.started_at) * 1000)
  FROM episode e JOIN incident i ON i.id = e.incident_id WHERE e.ended_at IS NOT NULL
) happened
GROUP BY 1, 2, 3, 4, 5;

-- Of hours whose sightings retention has dropped, only the sum of the hour is known: its first quarter takes what is missing.
INSERT INTO rollup_namespace_problem AS r
SELECT h.cluster_id, 15, h.hour, h.namespace, h.problem_id, h.occurrences - COALESCE(q.occurrences, 0), 0, 0, 0, 0
FROM (SELECT cluster_id, hour, namespace, problem_id, sum(occurrences) AS occurrences FROM rollup_hour GROUP BY 1, 2, 3, 4) h
  LEFT JOIN (SELECT cluster_id, date_bin('1 hour', at, 'epoch') AS hour, namespace, problem_id, sum(occurrences) AS occurrences
             FROM rollup_namespace_problem GROUP BY 1, 2, 3, 4) q USING (cluster_id, hour, namespace, problem_id)
WHERE h.occurrences <> COALESCE(q.occurrences, 0)
ON CONFLICT (cluster_id, minutes, at, namespace, problem_id) DO UPDATE SET occurrences = r.occurrences + EXCLUDED.occurrences;

INSERT INTO rollup_namespace_problem
SELECT cluster_id, m.minutes, date_bin(m.minutes * interval '1 minute', at, 'epoch') AS cell, namespace, problem_id,
  sum(occurrences), sum(opened), sum(reopened), sum(resolved), sum(resolve_ms)
FROM rollup_namespace_problem r, (VALUES (60::smallint), (1440::smallint)) m(minutes) WHERE r.minutes = 15
GROUP BY cluster_id, m.minutes, cell, namespace, problem_id;

INSERT INTO rollup_problem
SELECT cluster_id, minutes, at, problem_id, sum(occurrences), sum(opened), sum(reopened), sum(resolved), sum(resolve_ms)
FROM rollup_namespace_problem GROUP BY 1, 2, 3, 4;

INSERT INTO rollup_namespace
SELECT cluster_id, minutes, at, namespace, sum(occurrences), sum(opened), sum(reopened), sum(resolved), sum(resolve_ms)
FROM rollup_namespace_problem GROUP BY 1, 2, 3, 4;

INSERT INTO rollup_cluster
SELECT cluster_id, minutes, at, sum(occurrences), sum(opened), sum(reopened), sum(resolved), sum(resolve_ms)
FROM rollup_namespace_problem GROUP BY 1, 2, 3;

CREATE INDEX rollup_namespace_problem_by_name ON rollup_namespace_problem (namespace, problem_id, minutes, at);
CREATE INDEX rollup_problem_by_name ON rollup_problem (problem_id, minutes, at);
CREATE INDEX rollup_namespace_by_name ON rollup_namespace (namespace, minutes, at);

-- Its sums are in rollup_namespace_problem. A process of the version before, which would go on writing it, is to fail instead.
DROP TABLE rollup_hour;

-- Times to resolve are those of the episodes themselves, as are the ones that are open.
CREATE INDEX episode_ended ON episode (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX episode_open ON episode (incident_id) WHERE ended_at IS NULL;
