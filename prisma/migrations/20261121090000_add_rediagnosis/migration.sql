-- How far stored Events and open incidents were diagnosed again with the latest knowledge: one row, written by the one replica that is at it.
CREATE TABLE rediagnosis (
  single      boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- Of the knowledge.
  version     text NOT NULL,
  phase       text NOT NULL CHECK (phase IN ('events', 'incidents', 'done')),
  -- The last Event, or incident, that was looked at; null before the first.
  position    jsonb,
  events      integer NOT NULL DEFAULT 0,
  incidents   integer NOT NULL DEFAULT 0,
  ended       integer NOT NULL DEFAULT 0,
  started_at  timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
