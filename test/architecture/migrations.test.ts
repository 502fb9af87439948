import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findUnsafeStatements } from './find-unsafe-statements.js';

/** Whatever is older made the first release: no version was running anywhere that it could harm. */
const FIRST_RELEASE = '20261123000000';
const names = readdirSync('prisma/migrations').filter((name) => /^\d/.test(name));
const later = names.filter((name) => name > FIRST_RELEASE);

describe('migrations', () => {
  it('are named by their time and what they do', () => {
    expect(names.filter((name) => !/^\d{14}_[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
  });

  it.each(later)('%s leaves the version before it running', (name) => {
    expect(findUnsafeStatements(readFileSync(`prisma/migrations/${name}/migration.sql`, 'utf8'))).toEqual([]);
  });
});

describe('a migration that would harm a running version', () => {
  it.each([
    ['drop', 'DROP TABLE incident'],
    ['drop', 'ALTER TABLE incident DROP COLUMN code'],
    ['drop', 'ALTER TABLE incident ADD COLUMN a int, DROP code'],
    ['rename', 'ALTER TABLE incident RENAME COLUMN code TO codes'],
    ['rename', 'alter table incident\n  rename to problem_case'],
    ['retype', 'ALTER TABLE incident ALTER COLUMN occurrences TYPE numeric'],
    ['retype', 'ALTER TABLE incident ALTER occurrences SET DATA TYPE numeric'],
    ['require', 'ALTER TABLE incident ALTER COLUMN code SET NOT NULL'],
    ['require', 'ALTER TABLE incident ADD COLUMN mood text NOT NULL'],
    ['require', 'ALTER TABLE incident ADD a int NOT NULL DEFAULT 1, ADD b int NOT NULL'],
    ['rewrite', 'ALTER TABLE event ADD COLUMN id uuid DEFAULT gen_random_uuid()'],
    ['rewrite', 'ALTER TABLE event ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY'],
    ['check', 'ALTER TABLE incident ADD CONSTRAINT short CHECK (length(code) < 9)'],
    ['check', 'ALTER TABLE incident ADD FOREIGN KEY (cluster_id) REFERENCES cluster'],
    ['index', 'CREATE INDEX incident_mood ON incident (mood)'],
    ['index', 'CREATE UNIQUE INDEX ON ONLY event (uid)'],
    ['rows', `UPDATE incident SET mood = 'a; b'`],
    ['rows', 'DELETE FROM event_key WHERE day < now()'],
  ])('is found: %s by %s', (harm, sql) => {
    expect(findUnsafeStatements(sql).map((found) => found.harm)).toEqual([harm]);
    expect(findUnsafeStatements(`-- allow ${harm}: nobody reads it since 0.2.0\n${sql}`)).toEqual([]);
    expect(findUnsafeStatements(`-- allow other: nobody reads it since 0.2.0\n${sql}`)).toHaveLength(1);
  });

  it.each([
    'ALTER TABLE incident ADD COLUMN mood text, ADD COLUMN weight integer NOT NULL DEFAULT 0 CHECK (weight >= 0)',
    'ALTER TABLE event ADD COLUMN at timestamptz NOT NULL DEFAULT now()',
    'ALTER TABLE incident ADD CONSTRAINT short CHECK (length(code) < 9) NOT VALID',
    'ALTER TABLE incident ALTER COLUMN code DROP NOT NULL',
    'CREATE TABLE mood (id int); CREATE INDEX mood_id ON mood (id); ALTER TABLE mood ADD UNIQUE (id); UPDATE mood SET id = 1',
    '-- DROP TABLE incident;\nSELECT 1',
    `CREATE OR REPLACE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM incident; RETURN NEW; END $$`,
  ])('is not found in %s', (sql) => expect(findUnsafeStatements(sql)).toEqual([]));
});
