import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/scope.js';
import { Database } from './database.service.js';
import type { SeverityCount } from './queries/count-by-severity.js';
import { countBySeverity } from './queries/count-by-severity.js';
import type { AffectedObject } from './queries/find-affected-objects.js';
import { findAffectedObjects } from './queries/find-affected-objects.js';
import type { EpisodeRecord } from './queries/find-episodes.js';
import { findEpisodes } from './queries/find-episodes.js';
import type { EventPage, EventRecord } from './queries/find-incident-events.js';
import { countIncidentEvents, findIncidentEvents } from './queries/find-incident-events.js';
import type { HistoryPage, HistoryRecord } from './queries/find-incident-history.js';
import { countIncidentHistory, findIncidentHistory } from './queries/find-incident-history.js';
import type { IncidentPage } from './queries/find-incidents.js';
import { countIncidents, findIncident, findIncidents, findIncidentsById } from './queries/find-incidents.js';
import type { LatestObject } from './queries/find-latest-objects.js';
import { findLatestObjects } from './queries/find-latest-objects.js';
import type { IncidentRecord } from './queries/incident-columns.js';
import type { IncidentFilter } from './queries/incident-where.js';

/** Reads incidents and what belongs to them. Every call is one statement, for however many incidents it is asked. */
@Injectable()
export class IncidentRepository {
  constructor(private readonly database: Database) {}

  /** One incident by its id, a UUID; undefined also when it lies outside the scope. */
  find(id: string, scope: Scope): Promise<IncidentRecord | undefined> {
    return findIncident(this.database.reads, id, scope);
  }

  /** Incidents by their ids, UUIDs, in no order; unknown ones and those outside the scope are left out. */
  findAll(ids: readonly string[], scope: Scope): Promise<IncidentRecord[]> {
    return findIncidentsById(this.database.reads, ids, scope);
  }

  /** Incidents after a position, in order. */
  list(page: IncidentPage): Promise<IncidentRecord[]> {
    return findIncidents(this.database.reads, page);
  }

  /** Number of all incidents of a filter within a scope. */
  count(filter: IncidentFilter, scope: Scope): Promise<number> {
    return countIncidents(this.database.reads, filter, scope);
  }

  /** Unresolved incidents of the first `limit` clusters by name, by severity. */
  countBySeverity(scope: Scope, limit: number): Promise<SeverityCount[]> {
    return countBySeverity(this.database, scope, limit);
  }

  /** The objects of each incident that were seen last. This and what follows is for incidents that the caller was shown. */
  affected(ids: readonly string[], limit: number): Promise<Map<string, AffectedObject[]>> {
    return findAffectedObjects(this.database.reads, ids, limit);
  }

  /** The latest episodes of each incident. */
  episodes(ids: readonly string[], limit: number): Promise<Map<string, EpisodeRecord[]>> {
    return findEpisodes(this.database.reads, ids, limit);
  }

  /** Events of each incident after a position, latest first. */
  events(ids: readonly string[], page: EventPage): Promise<Map<string, EventRecord[]>> {
    return findIncidentEvents(this.database.reads, ids, page);
  }

  /** Number of stored events of each incident; an incident without any is left out. */
  countEvents(ids: readonly string[]): Promise<Map<string, number>> {
    return countIncidentEvents(this.database.reads, ids);
  }

  /** What people did with each incident and how its status changed, after a position, latest first. */
  history(ids: readonly string[], page: HistoryPage): Promise<Map<string, HistoryRecord[]>> {
    return findIncidentHistory(this.database.reads, ids, page);
  }

  /** Number of entries of each incident's history. */
  countHistory(ids: readonly string[]): Promise<Map<string, number>> {
    return countIncidentHistory(this.database.reads, ids);
  }

  /** The object that showed each incident's problem last. */
  latestObjects(ids: readonly string[]): Promise<Map<string, LatestObject>> {
    return findLatestObjects(this.database.reads, ids);
  }
}
