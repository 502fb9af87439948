import { Injectable } from '@nestjs/common';
import { runningWindow } from '../incidents/maintenance.js';
import type { Silencing } from '../incidents/silencing.js';
import { covers } from '../incidents/silencing.js';
import { SilencingRepository } from '../store/silencing.repository.js';

/** Which incidents are silenced, by a silence or by a maintenance window. They are counted and listed as all others. */
@Injectable()
export class Silencings {
  constructor(private readonly repository: SilencingRepository) {}

  /** All that silence something at a moment, milliseconds since the epoch. */
  async running(at: number): Promise<Silencing[]> {
    return (await this.repository.at(at)).filter((silencing) => runningWindow(silencing, at) !== null);
  }

  /** What silences each of some incidents (by id) at a moment; two statements, however many incidents. One that nothing silences has an empty list. */
  async matching(incidentIds: readonly string[], at: number): Promise<Map<string, Silencing[]>> {
    const byIncident = new Map<string, Silencing[]>(incidentIds.map((id) => [id, []]));
    const running = await this.running(at);
    if (running.length === 0 || incidentIds.length === 0) return byIncident;
    for (const incident of await this.repository.silenceable(incidentIds)) {
      byIncident.set(
        incident.id,
        running.filter((silencing) => covers(silencing, incident)),
      );
    }
    return byIncident;
  }
}
