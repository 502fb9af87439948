-- Objects of which nothing was seen for long are forgotten, row by row, and their incident keeps what they counted for. heard_on is the
-- latest day on which something of an object was received: what happened long ago and was heard today is not old, because its repeats
-- have to be known. Nobody knows it of the rows there are, so they count as heard today.
ALTER TABLE affected ADD COLUMN heard_on date NOT NULL DEFAULT CURRENT_DATE;
CREATE INDEX affected_ended ON affected (cluster_id, ended_at) WHERE ended_at IS NOT NULL;

-- How many objects were forgotten, with how many occurrences. What an incident's history says up to forgotten_until, when the last of
-- their periods ended, is final: it cannot be derived again.
ALTER TABLE incident
  ADD COLUMN forgotten_count       integer NOT NULL DEFAULT 0,
  ADD COLUMN forgotten_occurrences bigint NOT NULL DEFAULT 0,
  ADD COLUMN forgotten_until       timestamptz;

-- From when on cells of roll-ups are kept, by their length. It is written before any of them is deleted.
CREATE TABLE rollup_kept (
  minutes   smallint PRIMARY KEY,
  kept_from timestamptz NOT NULL
);

-- What people did with an incident goes with it, once its time of keeping is over.
CREATE OR REPLACE FUNCTION keep_incident_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF NOT EXISTS (SELECT FROM cluster c WHERE c.id = OLD.cluster_id AND c.removing_at IS NULL)
      OR NOT EXISTS (SELECT FROM incident i WHERE i.id = OLD.incident_id) THEN
      RETURN OLD;
    END IF;
  ELSIF to_jsonb(NEW) - 'incident_id' = to_jsonb(OLD) - 'incident_id' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'rows of incident_audit are never changed or deleted';
END $$;
