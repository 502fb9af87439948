-- What people do with an incident. An acknowledgement counts while it lies in the episode that is open, so it is kept as a time.
ALTER TABLE incident
  ADD COLUMN version         integer NOT NULL DEFAULT 1,
  ADD COLUMN acknowledged_at timestamptz,
  ADD COLUMN acknowledged_by text,
  ADD COLUMN assignee        text;

-- The version grows with every change by a person, and with every change of the status whoever made it.
CREATE FUNCTION count_incident_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER incident_version BEFORE UPDATE OF status ON incident
  FOR EACH ROW WHEN (NEW.status IS DISTINCT FROM OLD.status) EXECUTE FUNCTION count_incident_status();

-- Every change by a person, for ever.
CREATE TABLE incident_audit (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  incident_id uuid NOT NULL,
  cluster_id  integer NOT NULL,
  at          timestamptz NOT NULL,
  -- of the incident, after the change
  version     integer NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('ACKNOWLEDGED', 'UNACKNOWLEDGED', 'ASSIGNED', 'COMMENTED', 'RESOLVED', 'REOPENED')),
  -- name of the caller for people to read, and the id that does not change
  by          text NOT NULL,
  by_id       text NOT NULL,
  -- a comment, or the reason of the change
  note        text,
  before      jsonb NOT NULL,
  after       jsonb NOT NULL
);
CREATE INDEX incident_audit_incident ON incident_audit (incident_id, at, id);
CREATE INDEX incident_audit_cluster ON incident_audit (cluster_id);

-- Only two things may happen to a row: it follows its incident into another one of the same problem when the owner of its objects
-- becomes known, and it goes with its whole cluster.
CREATE FUNCTION keep_incident_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF NOT EXISTS (SELECT FROM cluster c WHERE c.id = OLD.cluster_id AND c.removing_at IS NULL) THEN
      RETURN OLD;
    END IF;
  ELSIF to_jsonb(NEW) - 'incident_id' = to_jsonb(OLD) - 'incident_id' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'rows of incident_audit are never changed or deleted';
END $$;
CREATE TRIGGER incident_audit_append_only BEFORE UPDATE OR DELETE ON incident_audit
  FOR EACH ROW EXECUTE FUNCTION keep_incident_audit();

-- Silences and maintenance windows: what they cover (an empty list covers all), and when. A recurring window has a cron expression,
-- a duration and a time zone, and is valid from starts_at, until ends_at where it has an end.
CREATE TABLE silencing (
  id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind        text NOT NULL CHECK (kind IN ('silence', 'maintenance')),
  clusters    text[] NOT NULL,
  namespaces  text[] NOT NULL,
  problems    text[] NOT NULL DEFAULT '{}',
  severities  text[] NOT NULL DEFAULT '{}',
  kinds       text[] NOT NULL DEFAULT '{}',
  names       text[] NOT NULL DEFAULT '{}',
  starts_at   timestamptz NOT NULL,
  ends_at     timestamptz,
  cron        text,
  duration_ms bigint,
  time_zone   text,
  reason      text NOT NULL,
  created_by  text NOT NULL,
  created_at  timestamptz NOT NULL,
  version     integer NOT NULL DEFAULT 1,
  CHECK ((cron IS NULL) = (duration_ms IS NULL) AND (cron IS NULL) = (time_zone IS NULL) AND (cron IS NOT NULL OR ends_at IS NOT NULL))
);
CREATE INDEX silencing_ends ON silencing (kind, ends_at);
CREATE INDEX silencing_created ON silencing (kind, created_at, id);

CREATE TABLE silencing_audit (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  silencing_id uuid NOT NULL REFERENCES silencing,
  at           timestamptz NOT NULL,
  version      integer NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('CREATED', 'UPDATED', 'ENDED')),
  by           text NOT NULL,
  by_id        text NOT NULL,
  before       jsonb,
  after        jsonb NOT NULL
);
CREATE INDEX silencing_audit_of ON silencing_audit (silencing_id, id);
CREATE FUNCTION keep_silencing_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of silencing_audit are never changed or deleted';
END $$;
CREATE TRIGGER silencing_audit_append_only BEFORE UPDATE OR DELETE ON silencing_audit
  FOR EACH ROW EXECUTE FUNCTION keep_silencing_audit();
