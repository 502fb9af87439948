-- Messages of failures that no problem explains, grouped by their template: the work list of those who write knowledge. The hash is
-- made of kind, reporter, reason and template, so that it is the same in every cluster. The one with an empty hash counts what came
-- after a cluster's last place was taken.
CREATE TABLE undiagnosed_pattern (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  cluster_id integer NOT NULL REFERENCES cluster ON DELETE CASCADE,
  hash       text NOT NULL,
  kind       text NOT NULL,
  reporter   text NOT NULL,
  reason     text NOT NULL,
  template   text NOT NULL,
  UNIQUE (cluster_id, hash)
);

-- How often, by the day (UTC) on which each Event was last seen: an Event counts with its whole count in one cell, and moves when it
-- grows. Dropped as raw data is.
CREATE TABLE undiagnosed_cell (
  cluster_id  integer NOT NULL REFERENCES cluster ON DELETE CASCADE,
  pattern_id  bigint NOT NULL REFERENCES undiagnosed_pattern ON DELETE CASCADE,
  namespace   text NOT NULL,
  day         date NOT NULL,
  occurrences bigint NOT NULL,
  events      integer NOT NULL,
  first_at    timestamptz NOT NULL,
  last_at     timestamptz NOT NULL,
  -- The latest day on which something of it was received: what happened long ago is kept a while all the same.
  heard_on    date NOT NULL DEFAULT CURRENT_DATE,
  -- One of its events without secrets, as JSON.
  sample      text NOT NULL,
  PRIMARY KEY (cluster_id, pattern_id, namespace, day)
) WITH (fillfactor = 80);
CREATE INDEX undiagnosed_cell_pattern ON undiagnosed_cell (pattern_id);

-- The pattern that an Event is counted under, so that it can be taken back.
ALTER TABLE event_key ADD COLUMN pattern_id bigint;
