-- An object that showed a problem in several containers, or to several alerts, was counted once for each. What was forgotten of an incident
-- stays counted as it was. That is no change of an incident, and nobody is told of it.
ALTER TABLE incident DISABLE TRIGGER incident_changes;
UPDATE incident i SET affected_count = i.forgotten_count + s.objects
FROM (SELECT a.incident_id, count(DISTINCT a.object_key) AS objects FROM affected a GROUP BY a.incident_id) s
WHERE i.id = s.incident_id AND i.affected_count <> i.forgotten_count + s.objects;
ALTER TABLE incident ENABLE TRIGGER incident_changes;
