-- A cluster may be suspended, limited, asked for signatures, and removed in many small steps: no writer takes one that is being removed.
ALTER TABLE cluster
  ADD COLUMN suspended_at        timestamptz,
  ADD COLUMN suspended_reason    text,
  ADD COLUMN removing_at         timestamptz,
  ADD COLUMN signatures_required boolean NOT NULL DEFAULT false,
  ADD COLUMN events_per_second   integer CHECK (events_per_second > 0),
  ADD COLUMN max_body_bytes      integer CHECK (max_body_bytes > 0);

-- last_used_at is exact to the minute. A token without expires_at is valid until it is revoked, and then its row is gone.
ALTER TABLE cluster_token
  ADD COLUMN last_used_at timestamptz,
  ADD COLUMN expires_at   timestamptz;

-- Secrets that senders sign their bodies with. Sealed and not hashed, because a signature can only be checked by who knows the secret.
CREATE TABLE signing_secret (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  cluster_id integer NOT NULL REFERENCES cluster ON DELETE CASCADE,
  sealed     text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz
);
CREATE INDEX signing_secret_cluster ON signing_secret (cluster_id);
