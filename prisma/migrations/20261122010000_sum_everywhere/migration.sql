-- Sums of rollup_problem over all clusters: a question by problem would read as many cells of each as there are clusters. A
-- batch does not write them, because all clusters would wait for each other at the same rows. It notes the hours that it changed, and a job
-- makes their cells anew; until then, cells that hold one of these hours are read from rollup_problem. docs/trends.md tells more.
CREATE TABLE rollup_everywhere (
  minutes     smallint NOT NULL,
  at          timestamptz NOT NULL,
  problem_id  text NOT NULL,
  occurrences bigint NOT NULL,
  opened      integer NOT NULL,
  reopened    integer NOT NULL,
  resolved    integer NOT NULL,
  resolve_ms  bigint NOT NULL,
  PRIMARY KEY (minutes, at, problem_id)
) WITH (fillfactor = 80);

-- Only ever inserted into, one row for each hour of each batch, so that nobody waits: a row that is there says nothing of a batch that is
-- not committed yet.
CREATE TABLE rollup_touched (hour timestamptz NOT NULL);

-- The sums over all clusters are to be made anew without a cluster that is being removed.
CREATE FUNCTION touch_rollups_of_cluster() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO rollup_touched SELECT r.at FROM rollup_cluster r WHERE r.minutes = 60 AND r.cluster_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER touch_rollups_of_cluster AFTER UPDATE OF removing_at ON cluster
  FOR EACH ROW WHEN (OLD.removing_at IS DISTINCT FROM NEW.removing_at) EXECUTE FUNCTION touch_rollups_of_cluster();

INSERT INTO rollup_everywhere
SELECT r.minutes, r.at, r.problem_id, sum(r.occurrences), sum(r.opened), sum(r.reopened), sum(r.resolved), sum(r.resolve_ms)
FROM rollup_problem r JOIN cluster c ON c.id = r.cluster_id AND c.removing_at IS NULL
GROUP BY 1, 2, 3 ORDER BY 2, 1, 3;
