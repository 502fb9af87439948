-- Each start of a replica begins an epoch in the sequence of changes. A position belongs to a history that a backup has undone when
-- nobody knows its epoch, when it is further than the beginning of a later epoch, or when a later epoch began in another server:
-- one that the database was restored into, or the same one on another timeline.
CREATE TABLE incident_change_epoch (
  seq    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id     text NOT NULL UNIQUE,
  xid    xid8 NOT NULL DEFAULT pg_current_xact_id(),
  -- the server and its timeline; empty where it does not tell them
  server text NOT NULL,
  at     timestamptz NOT NULL DEFAULT now()
);
