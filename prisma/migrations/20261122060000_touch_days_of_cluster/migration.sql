-- Days outlive hours where hours are not kept for ever: the sums of such a day have to be made anew too when a cluster is removed. It is noted
-- by its first hour.
CREATE OR REPLACE FUNCTION touch_rollups_of_cluster() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO rollup_touched SELECT r.at FROM rollup_cluster r WHERE r.minutes IN (60, 1440) AND r.cluster_id = NEW.id;
  RETURN NULL;
END $$;
