import { Injectable } from '@nestjs/common';
import type { ClusterEvent, ReadResult, Rejection } from '../events/cluster-event.js';
import { readBody, readValues } from '../events/read-body.js';
import type { Provider } from '../knowledge/problem-file.js';
import type { Diagnosis } from '../matching/diagnosis.js';
import { matchEvent } from '../matching/match-event.js';
import { RequestError } from '../platform/refusal.js';
import { RecogniserService } from './recogniser.service.js';

/** Most events of one request. */
const MAX_EVENTS = 1000;

/** What is known besides the events themselves. */
export interface DiagnoseOptions {
  /** Time of receipt, milliseconds since the epoch. */
  now: number;
  /** Provider of the cluster; undefined when it is not known. */
  provider?: Provider | undefined;
  /** Name of the format; found out when absent. */
  format?: string | undefined;
}

/** The problems that one event shows, best first; empty when none is known. */
export interface DiagnosedEvent {
  /** Position among the body's elements, from 0. */
  index: number;
  event: ClusterEvent;
  diagnoses: Diagnosis[];
}

/** Every element of a body: diagnosed, or refused. */
export interface Diagnosed {
  results: DiagnosedEvent[];
  rejected: Rejection[];
}

/** Tells what events show, without storing anything. */
@Injectable()
export class DiagnoseService {
  constructor(private readonly recognisers: RecogniserService) {}

  /**
   * Diagnoses a body of any supported format.
   *
   * @throws UnreadableBodyError when nothing of it can be read, RequestError TOO_LARGE for more than 1000 events
   */
  body(bytes: Uint8Array, options: DiagnoseOptions): Diagnosed {
    const { now, format } = options;
    return this.#diagnose(readBody(bytes, { now, ...(format !== undefined && { format }) }), options);
  }

  /** Diagnoses events that are already parsed. Throws RequestError TOO_LARGE for more than 1000. */
  values(values: readonly unknown[], options: DiagnoseOptions): Diagnosed {
    return this.#diagnose(readValues(values, { now: options.now }), options);
  }

  #diagnose({ events, rejected }: ReadResult, { provider }: DiagnoseOptions): Diagnosed {
    const count = events.length + rejected.length;
    if (count > MAX_EVENTS) throw new RequestError('TOO_LARGE', `${count} events were sent; at most ${MAX_EVENTS} are diagnosed at once.`);
    const { matcher } = this.recognisers.current();
    const results = events.map(({ index, event }) => ({ index, event, diagnoses: matchEvent(matcher, event, { provider }) }));
    return { results, rejected };
  }
}
