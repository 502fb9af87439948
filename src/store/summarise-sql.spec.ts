import { describe, expect, it } from 'vitest';
import { summariseSql } from './summarise-sql.js';

describe('summariseSql', () => {
  it.each([
    ['BEGIN', 'BEGIN'],
    ['SELECT 1', 'SELECT'],
    ["SELECT set_config('jit', 'off', true)", 'SELECT'],
    ['SELECT a FROM incident i JOIN cluster c ON true WHERE i.id = $1 FOR NO KEY UPDATE', 'SELECT incident'],
    ['INSERT INTO sighting (at)\n SELECT n.at FROM json_to_recordset($1) AS n ON CONFLICT (at) DO UPDATE SET at = n.at', 'INSERT sighting'],
    ['WITH taken AS (SELECT id FROM delivery FOR UPDATE SKIP LOCKED) UPDATE delivery SET x = 1', 'UPDATE delivery'],
    ['WITH a AS (SELECT 1 FROM rollup_cluster) SELECT * FROM a', 'SELECT rollup_cluster'],
    ['-- why\nDELETE FROM ONLY event WHERE at < $1', 'DELETE event'],
    ['SELECT extract(epoch FROM last_heard_at), a IS DISTINCT FROM b FROM cluster WHERE id = $1', 'SELECT cluster'],
    ['SELECT n.k FROM json_to_recordset($1) AS n(k text) JOIN sighting s ON s.k = n.k', 'SELECT'],
    ['LISTEN casebook_change', 'LISTEN'],
    ['', 'SQL'],
  ])('calls %j %s', (sql, summary) => {
    expect(summariseSql(sql)).toBe(summary);
    expect(summariseSql(sql)).toBe(summary);
  });
});
