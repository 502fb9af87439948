-- Every change of an incident, in the transaction that made it: what live streams and webhooks are read from, dropped by the
-- day. A number is taken before its transaction commits, so a reader by number alone would miss a slow one. The position of a
-- row is (xid, seq), and a reader stops below the oldest transaction that still runs.
CREATE SEQUENCE incident_change_seq;
CREATE TABLE incident_change (
  xid             xid8 NOT NULL DEFAULT pg_current_xact_id(),
  seq             bigint NOT NULL DEFAULT nextval('incident_change_seq'),
  at              timestamptz NOT NULL DEFAULT clock_timestamp(),
  incident_id     uuid NOT NULL,
  cluster_id      integer NOT NULL,
  problem_id      text NOT NULL,
  namespace       text NOT NULL,
  kind            text NOT NULL,
  -- null when the incident did not exist before
  status_before   text,
  status          text NOT NULL,
  severity_before text,
  severity        text NOT NULL
) PARTITION BY RANGE (at);
CREATE INDEX incident_change_position ON incident_change (xid, seq);
CREATE TABLE incident_change_other PARTITION OF incident_change DEFAULT;

-- Position of the last change that was dropped, one row at most: what comes before it cannot be read without a gap.
CREATE TABLE incident_change_dropped (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  xid       xid8 NOT NULL,
  seq       bigint NOT NULL
);

-- Incidents that grew and nothing more since the last look: each becomes one change of kind UPDATED every few seconds,
-- however many events it gets.
CREATE TABLE incident_growth (
  cluster_id  integer NOT NULL,
  incident_id uuid NOT NULL,
  PRIMARY KEY (cluster_id, incident_id)
);

-- An incident is born without any affected object and gets its first one by an update, so that updates tell everything.
CREATE FUNCTION note_incident_changes() RETURNS trigger LANGUAGE plpgsql
-- The plan is kept for the session: made for a single row, it must not become a loop in a loop over hundreds.
SET enable_nestloop = off SET jit = off AS $$
DECLARE
  count_told integer;
BEGIN
  WITH differing AS (
    SELECT n.id, n.cluster_id, n.problem_id, n.subject_namespace, n.status, n.severity, o.affected_count > 0 AS existed,
      o.status AS status_before, o.severity AS severity_before,
      n.status <> o.status OR n.severity <> o.severity OR o.affected_count = 0 AS told
    FROM incidents_after n JOIN incidents_before o ON o.id = n.id
    WHERE n.affected_count > 0 AND (o.affected_count = 0 OR n.status <> o.status OR n.severity <> o.severity
      OR n.occurrences <> o.occurrences OR n.affected_count <> o.affected_count OR n.last_seen_at <> o.last_seen_at
      OR n.first_seen_at <> o.first_seen_at OR n.subject_kind <> o.subject_kind
      -- what ends an incident is written after its status, and is part of that change
      OR (o.resolved_by IS NOT NULL AND n.resolved_by IS NOT NULL AND (n.resolved_by <> o.resolved_by OR n.resolved_at <> o.resolved_at))
      OR n.diagnosis <> o.diagnosis)
  ), told AS (
    INSERT INTO incident_change (incident_id, cluster_id, problem_id, namespace, kind, status_before, status, severity_before, severity)
    SELECT id, cluster_id, problem_id, subject_namespace,
      CASE
        WHEN existed AND status = status_before THEN 'UPDATED'
        WHEN status = 'resolved' THEN 'RESOLVED'
        WHEN status = 'acknowledged' THEN 'ACKNOWLEDGED'
        WHEN NOT existed THEN 'OPENED'
        WHEN status_before = 'resolved' THEN 'REOPENED'
        ELSE 'UPDATED'
      END,
      CASE WHEN existed THEN status_before END, status, CASE WHEN existed THEN severity_before END, severity
    FROM differing WHERE told
    RETURNING 1
  ), grown AS (
    INSERT INTO incident_growth (cluster_id, incident_id) SELECT cluster_id, id FROM differing WHERE NOT told ON CONFLICT DO NOTHING
  )
  SELECT count(*) INTO count_told FROM told;
  IF count_told > 0 THEN
    PERFORM pg_notify('casebook_incident_change', '');
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER incident_changes AFTER UPDATE ON incident
  REFERENCING OLD TABLE AS incidents_before NEW TABLE AS incidents_after
  FOR EACH STATEMENT EXECUTE FUNCTION note_incident_changes();
