-- Which replica follows the events of which cluster. One row for each cluster that is to be watched, whoever watches it now.
CREATE SEQUENCE watch_epoch;
CREATE TABLE watch_lease (
  cluster_id      integer PRIMARY KEY REFERENCES cluster ON DELETE CASCADE,
  mode            text NOT NULL CHECK (mode IN ('kubeconfig', 'in-cluster', 'stored')),
  -- The replica that holds it, until expires_at by this database's clock. Null: nobody.
  holder          uuid,
  holder_name     text,
  expires_at      timestamptz,
  -- Another one whenever it changes hands, never used again: what was begun under an older one moves the position no more.
  epoch           bigint NOT NULL DEFAULT nextval('watch_epoch'),
  -- The resource version up to which events are stored, and the API server that it is of. Null: list everything.
  position        text,
  position_server text,
  position_at     timestamptz,
  -- What the holder last said of itself.
  state           text NOT NULL DEFAULT 'stopped' CHECK (state IN ('connecting', 'listing', 'watching', 'backing-off', 'stopped')),
  state_since     timestamptz NOT NULL DEFAULT now(),
  server          text,
  error_code      text,
  error           text,
  error_at        timestamptz,
  unfollowed      jsonb NOT NULL DEFAULT '[]'
);

-- The replicas that are alive, and the clusters that each is configured to watch, so that they can be shared out.
CREATE TABLE watch_replica (
  id           uuid PRIMARY KEY,
  name         text NOT NULL,
  expires_at   timestamptz NOT NULL,
  configured   integer[] NOT NULL,
  opens_stored boolean NOT NULL
);

-- Credentials with which clusters are watched, sealed by the service: the database alone cannot read them.
CREATE TABLE watch_credential (
  cluster_id integer PRIMARY KEY REFERENCES cluster ON DELETE CASCADE,
  sealed     text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The objects that something is open about: a watch asks whether they still exist.
CREATE INDEX affected_open ON affected (cluster_id, object_key) WHERE ended_at IS NULL;
