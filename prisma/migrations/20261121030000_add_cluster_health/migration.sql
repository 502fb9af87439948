-- When a cluster is taken to be silent, and the silence that an incident is open for.
ALTER TABLE cluster
  -- The pause that is too long, in milliseconds. 0: never. -1: by what is usual for it. Null: as the service is set.
  ADD COLUMN silence_after_ms   bigint CHECK (silence_after_ms >= -1),
  -- The last word before the silence that was raised. Null: none is.
  ADD COLUMN silent_since       timestamptz,
  -- When a silence was last raised or ended.
  ADD COLUMN silence_changed_at timestamptz,
  -- When it was last resumed: before that, nobody listened.
  ADD COLUMN resumed_at         timestamptz;

CREATE FUNCTION note_cluster_resumed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.resumed_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER cluster_resumed BEFORE UPDATE OF suspended_at ON cluster
  FOR EACH ROW WHEN (OLD.suspended_at IS NOT NULL AND NEW.suspended_at IS NULL) EXECUTE FUNCTION note_cluster_resumed();

-- What each cluster sent, by the minute of receipt: rate, lateness and pauses are told from these rows. Dropped after eight days.
CREATE TABLE cluster_minute (
  cluster_id integer NOT NULL REFERENCES cluster ON DELETE CASCADE,
  minute     timestamptz NOT NULL,
  -- When it was first heard in this minute.
  heard_at   timestamptz NOT NULL,
  -- How long it had said nothing before that, where that was a minute or more.
  pause_ms   bigint,
  -- Whether that pause had been raised as silence.
  silent     boolean NOT NULL DEFAULT false,
  -- Events that were new or had grown, and all that were sent, repeats included.
  events     integer NOT NULL,
  received   integer NOT NULL,
  -- New and grown events by how late they came, see src/incidents/lag.ts for the bounds.
  lag        integer[] NOT NULL,
  PRIMARY KEY (cluster_id, minute)
);
CREATE INDEX cluster_minute_pause ON cluster_minute (cluster_id, minute) INCLUDE (heard_at, pause_ms, silent) WHERE pause_ms IS NOT NULL;
CREATE INDEX cluster_minute_age ON cluster_minute (minute);

-- When Casebook itself was there to listen, over all its replicas. What lies between two rows is its own downtime.
CREATE TABLE service_span (
  started_at timestamptz PRIMARY KEY,
  last_at    timestamptz NOT NULL
);

-- Input that was refused, alike ones of an hour folded into one row. Bounded by age and number.
CREATE TABLE rejected_input (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Null: no cluster of that name is registered.
  cluster_id   integer REFERENCES cluster ON DELETE CASCADE,
  cluster_name text NOT NULL,
  fold         text NOT NULL,
  first_at     timestamptz NOT NULL,
  last_at      timestamptz NOT NULL,
  count        bigint NOT NULL,
  code         text NOT NULL,
  reason       text NOT NULL,
  element      integer,
  format       text NOT NULL,
  bytes        integer NOT NULL,
  address      text NOT NULL,
  user_agent   text NOT NULL,
  token        text NOT NULL,
  sample       text NOT NULL
);
CREATE UNIQUE INDEX rejected_input_fold ON rejected_input (COALESCE(cluster_id, 0), fold);
CREATE INDEX rejected_input_cluster ON rejected_input (COALESCE(cluster_id, 0), id);
CREATE INDEX rejected_input_age ON rejected_input (last_at);
