-- Tokens of people and programs, beside those of clusters. last_used_at is exact to the minute. A list that is null does not restrict.
-- An admin looks after whole clusters, so that its scope names no namespaces.
CREATE TABLE api_token (
  id           integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name         text NOT NULL,
  hash         bytea NOT NULL UNIQUE,
  role         text NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
  clusters     text[],
  namespaces   text[] CHECK (namespaces IS NULL OR role <> 'admin'),
  created_by   text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz,
  last_used_at timestamptz
);

-- Who changed what of the administration, and who was refused. clusters are those that an entry is about: null for the service as a whole.
CREATE TABLE audit_log (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_id   text NOT NULL,
  actor_name text NOT NULL,
  action     text NOT NULL,
  outcome    text NOT NULL CHECK (outcome IN ('done', 'refused')),
  target     text,
  clusters   text[],
  -- what was asked for, and what of the target was different before and after
  input      jsonb,
  before     jsonb,
  after      jsonb
);
CREATE INDEX audit_log_at ON audit_log (at);

-- What is written stays: nothing is changed, and only what is older than the shortest time of keeping can be dropped.
CREATE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.at < now() - interval '29 days' THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is only added to';
END $$;
CREATE TRIGGER audit_log_kept BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION keep_audit_log();
CREATE TRIGGER audit_log_not_emptied BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log();
