-- Where changes of incidents are told over HTTP. The address, the secret and the headers are sealed together: the addresses of chat
-- services are passwords. target is the part of the address that may be shown.
CREATE TABLE webhook (
  id               uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name             text NOT NULL UNIQUE,
  preset           text NOT NULL,
  target           text NOT NULL,
  sealed           text NOT NULL,
  has_secret       boolean NOT NULL,
  header_names     text[] NOT NULL,
  template         text,
  filter           jsonb NOT NULL,
  kinds            text[] NOT NULL,
  locale           text NOT NULL,
  hold_seconds     integer NOT NULL,
  flap_seconds     integer NOT NULL,
  storm_count      integer NOT NULL,
  storm_seconds    integer NOT NULL,
  enabled          boolean NOT NULL,
  -- changes made before are not told: when it was created or enabled again
  since            timestamptz NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now(),
  -- what was told in the present window, and the digest that is being gathered while there is too much
  window_at        timestamptz,
  window_count     integer NOT NULL DEFAULT 0,
  storm_id         uuid,
  storm_at         timestamptz
);

-- How far the changes have been turned into messages, one row.
CREATE TABLE webhook_position (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  xid       xid8 NOT NULL,
  seq       bigint NOT NULL
);

-- What a webhook's receiver believes of an incident: held is not told yet, told is told of the failure, recovered is told of its end.
CREATE TABLE webhook_told (
  webhook_id   uuid NOT NULL REFERENCES webhook ON DELETE CASCADE,
  incident_id  uuid NOT NULL,
  cluster_id   integer NOT NULL,
  state        text NOT NULL CHECK (state IN ('held', 'told', 'recovered')),
  kind         text NOT NULL,
  due_at       timestamptz,
  recovered_at timestamptz,
  -- the message that told of the failure, or the digest that it is counted in
  delivery_id  uuid,
  PRIMARY KEY (webhook_id, incident_id),
  CHECK ((state = 'held') = (due_at IS NOT NULL))
);
CREATE INDEX webhook_told_due ON webhook_told (due_at) WHERE state = 'held';
CREATE INDEX webhook_told_delivery ON webhook_told (delivery_id) WHERE state = 'told';
CREATE INDEX webhook_told_cluster ON webhook_told (cluster_id);

-- What a digest will count.
CREATE TABLE webhook_gathered (
  webhook_id  uuid NOT NULL REFERENCES webhook ON DELETE CASCADE,
  incident_id uuid NOT NULL,
  cluster_id  integer NOT NULL,
  kind        text NOT NULL,
  at          timestamptz NOT NULL,
  PRIMARY KEY (webhook_id, incident_id, kind)
);
CREATE INDEX webhook_gathered_cluster ON webhook_gathered (cluster_id);

-- Messages: those that are to be sent, and for a while those that were, or could not be.
CREATE TABLE webhook_delivery (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seq          bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  webhook_id   uuid NOT NULL REFERENCES webhook ON DELETE CASCADE,
  -- null for a digest and a test
  incident_id  uuid,
  cluster_id   integer,
  kind         text NOT NULL,
  -- the message that has to be delivered before
  about        uuid,
  body         text NOT NULL,
  status       text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'dead')),
  attempts     integer NOT NULL DEFAULT 0,
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- since when it is tried: when it was created or sent again
  queued_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  next_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  done_at      timestamptz,
  answer_code  integer,
  answer       text,
  error        text
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_id, next_at, seq) WHERE status = 'pending';
CREATE INDEX webhook_delivery_order ON webhook_delivery (webhook_id, incident_id, seq) WHERE status = 'pending';
CREATE INDEX webhook_delivery_queued ON webhook_delivery (queued_at) WHERE status = 'pending';
CREATE INDEX webhook_delivery_status ON webhook_delivery (status, seq);
CREATE INDEX webhook_delivery_done ON webhook_delivery (done_at) WHERE status <> 'pending';
CREATE INDEX webhook_delivery_cluster ON webhook_delivery (cluster_id);
