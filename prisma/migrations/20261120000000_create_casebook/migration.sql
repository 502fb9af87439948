-- Clusters that send events, and the hashes of their tokens.
CREATE TABLE cluster (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name          text NOT NULL UNIQUE,
  provider      text NOT NULL CHECK (provider IN ('kubernetes', 'tke', 'tke-serverless', 'ack')),
  region        text,
  labels        jsonb NOT NULL DEFAULT '{}',
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_heard_at timestamptz
);

CREATE TABLE cluster_token (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  cluster_id integer NOT NULL REFERENCES cluster ON DELETE CASCADE,
  hash       bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX cluster_token_cluster ON cluster_token (cluster_id);

-- A problem on a subject in a cluster, over time. Exactly one row for each such triple, for ever.
CREATE TABLE incident (
  id                uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  cluster_id        integer NOT NULL REFERENCES cluster ON DELETE CASCADE,
  problem_id        text NOT NULL,
  subject_key       text NOT NULL,
  subject_kind      text NOT NULL,
  subject_namespace text NOT NULL,
  subject_name      text NOT NULL,
  subject_rank      smallint NOT NULL,
  provider          text NOT NULL,
  code              text,
  severity          text NOT NULL CHECK (severity IN ('critical', 'error', 'warning', 'info')),
  status            text NOT NULL CHECK (status IN ('open', 'acknowledged', 'resolved')),
  occurrences       bigint NOT NULL,
  affected_count    integer NOT NULL,
  open_count        integer NOT NULL,
  first_seen_at     timestamptz NOT NULL,
  last_seen_at      timestamptz NOT NULL,
  resolved_at       timestamptz,
  resolved_by       text CHECK (resolved_by IN ('SUCCESS_EVENT', 'QUIET', 'OBJECT_GONE', 'MANUAL')),
  diagnosis         jsonb NOT NULL,
  diagnosis_order   text COLLATE "C" NOT NULL,
  UNIQUE (cluster_id, problem_id, subject_key)
);
-- Lists are paged by (last_seen_at, id) or (first_seen_at, id), alone or within the filters a portal asks for most.
CREATE INDEX incident_last_seen ON incident (last_seen_at, id);
CREATE INDEX incident_first_seen ON incident (first_seen_at, id);
CREATE INDEX incident_cluster_last_seen ON incident (cluster_id, last_seen_at, id);
CREATE INDEX incident_problem_last_seen ON incident (problem_id, last_seen_at, id);
CREATE INDEX incident_unresolved_last_seen ON incident (last_seen_at, id) WHERE status <> 'resolved';
CREATE INDEX incident_subject ON incident (subject_name, subject_namespace, subject_kind);

CREATE TABLE episode (
  incident_id uuid NOT NULL REFERENCES incident ON DELETE CASCADE,
  started_at  timestamptz NOT NULL,
  ended_at    timestamptz,
  resolution  text,
  PRIMARY KEY (incident_id, started_at)
);

-- An object (and container) that shows an incident's problem, with its latest period of failure.
CREATE TABLE affected (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  cluster_id  integer NOT NULL REFERENCES cluster ON DELETE CASCADE,
  incident_id uuid NOT NULL REFERENCES incident ON DELETE CASCADE,
  object_key  text NOT NULL,
  container   text NOT NULL,
  problem_id  text NOT NULL,
  kind        text NOT NULL,
  namespace   text NOT NULL,
  name        text NOT NULL,
  subject_kind text NOT NULL,
  subject_rank smallint NOT NULL,
  expects     text[] NOT NULL,
  quiet_ms    bigint,
  settle_ms   bigint NOT NULL,
  occurrences bigint NOT NULL,
  first_at    timestamptz NOT NULL,
  started_at  timestamptz NOT NULL,
  last_at     timestamptz NOT NULL,
  ended_at    timestamptz,
  resolution  text,
  quiet_at    timestamptz,
  UNIQUE (cluster_id, object_key, container, problem_id)
);
CREATE INDEX affected_incident ON affected (incident_id, last_at, id);
CREATE INDEX affected_incident_ended ON affected (incident_id, ended_at);
CREATE INDEX affected_quiet ON affected (quiet_at) WHERE quiet_at IS NOT NULL;

-- Earlier periods of an affected object, the latest is in its row.
CREATE TABLE affected_interval (
  affected_id bigint NOT NULL REFERENCES affected ON DELETE CASCADE,
  started_at  timestamptz NOT NULL,
  last_at     timestamptz NOT NULL,
  ended_at    timestamptz NOT NULL,
  resolution  text NOT NULL,
  PRIMARY KEY (affected_id, started_at)
);

-- What is known of every Event object, so that a repeated delivery is seen as one. Narrow: it is looked up by every delivery.
CREATE TABLE event_key (
  cluster_id  integer NOT NULL REFERENCES cluster ON DELETE CASCADE,
  uid         text NOT NULL,
  day         date NOT NULL,
  count       integer NOT NULL,
  first_at    timestamptz NOT NULL,
  last_at     timestamptz NOT NULL,
  affected_id bigint,
  subject_rank smallint NOT NULL,
  PRIMARY KEY (cluster_id, uid)
);
CREATE INDEX event_key_last_at ON event_key (last_at);

-- Events, one row each with the highest count seen, raw data, dropped by the day.
CREATE TABLE event (
  day         date NOT NULL,
  cluster_id  integer NOT NULL,
  uid         text NOT NULL,
  incident_id uuid,
  problem_id  text,
  kind        text NOT NULL,
  namespace   text NOT NULL,
  name        text NOT NULL,
  container   text NOT NULL,
  reason      text NOT NULL,
  type        text NOT NULL,
  reporter    text NOT NULL,
  host        text NOT NULL,
  message     text NOT NULL,
  count       integer NOT NULL,
  first_at    timestamptz NOT NULL,
  last_at     timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (cluster_id, uid, day)
) PARTITION BY RANGE (day);
CREATE INDEX event_incident ON event (incident_id, last_at, uid) WHERE incident_id IS NOT NULL;
CREATE TABLE event_other PARTITION OF event DEFAULT;

-- Each delivery that showed a problem: the marks from which periods and counts are derived.
CREATE TABLE sighting (
  at          timestamptz NOT NULL,
  cluster_id  integer NOT NULL,
  uid         text NOT NULL,
  count       integer NOT NULL,
  affected_id bigint NOT NULL,
  growth      integer NOT NULL,
  since       timestamptz NOT NULL,
  PRIMARY KEY (cluster_id, uid, count, affected_id, at)
) PARTITION BY RANGE (at);
CREATE INDEX sighting_affected ON sighting (affected_id, at);
CREATE TABLE sighting_other PARTITION OF sighting DEFAULT;

-- Each event that can end a failure of its object.
CREATE TABLE signal (
  at         timestamptz NOT NULL,
  cluster_id integer NOT NULL,
  object_key text NOT NULL,
  container  text NOT NULL,
  token      text NOT NULL,
  PRIMARY KEY (cluster_id, object_key, at, token, container)
) PARTITION BY RANGE (at);
CREATE TABLE signal_other PARTITION OF signal DEFAULT;

-- Happenings per hour: what history and trends are answered from.
CREATE TABLE rollup_hour (
  cluster_id  integer NOT NULL REFERENCES cluster ON DELETE CASCADE,
  hour        timestamptz NOT NULL,
  namespace   text NOT NULL,
  problem_id  text NOT NULL,
  severity    text NOT NULL,
  occurrences bigint NOT NULL,
  PRIMARY KEY (cluster_id, hour, namespace, problem_id, severity)
);
CREATE INDEX rollup_hour_problem ON rollup_hour (problem_id, hour);
