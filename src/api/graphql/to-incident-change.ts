import { encodeChangeCursor } from '../live/change-cursor.js';
import type { LiveChange } from '../live/live-stream.js';
import { IncidentChangeKind } from './incident-change-types.js';
import { toIncident } from './to-incident-types.js';
import type { IncidentToShow } from './to-incident-types.js';

/** A change on its way out. */
export interface IncidentChangeToShow {
  cursor: string;
  at: number;
  kind: string;
  statusBefore: string | null;
  status: string;
  severityBefore: string | null;
  severity: string;
  mergedInto: string | null;
  incident: IncidentToShow;
}

/** A change in the form of the schema. A kind that a newer version wrote is shown as UPDATED. */
export function toIncidentChange({ change, incident }: LiveChange): IncidentChangeToShow {
  const { position, at, kind, statusBefore, status, severityBefore, severity, mergedInto } = change;
  return {
    cursor: encodeChangeCursor(position),
    at,
    kind: Object.hasOwn(IncidentChangeKind, kind) ? kind : IncidentChangeKind.UPDATED,
    statusBefore,
    status,
    severityBefore,
    severity,
    mergedInto,
    incident: toIncident(incident),
  };
}
