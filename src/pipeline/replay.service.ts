import { Injectable, Optional } from '@nestjs/common';
import type { Finding } from '../knowledge/knowledge-error.js';
import { formatFinding } from '../knowledge/knowledge-error.js';
import type { KnowledgeEdits } from '../knowledge/knowledge.loader.js';
import { KnowledgeService } from '../knowledge/knowledge.service.js';
import { Clock } from '../platform/clock.js';
import { RequestError } from '../platform/refusal.js';
import type { Scope } from '../platform/scope.js';
import type { StoredEvent, StoredEventKey } from '../store/queries/find-stored-events.js';
import { StoredEventRepository } from '../store/stored-event.repository.js';
import { BusyError } from './busy-error.js';
import type { ReplayChange } from './compare-replays.js';
import { compareReplays } from './compare-replays.js';
import { compileRecogniser, RecogniserService } from './recogniser.service.js';
import { ReplaySide } from './replay-side.js';

/** Which stored Events edited knowledge is tried on. */
export interface ReplayRange {
  clusters?: readonly string[] | undefined;
  /** When they were first received, milliseconds since the epoch. */
  from: number;
  to: number;
}

/** What edited knowledge would do. */
export interface Replayed {
  /** Events that were looked at. */
  events: number;
  /** False when there were more than one replay looks at, or it took too long: the rest of the range is not in the answer. */
  complete: boolean;
  problemsAdded: string[];
  problemsRemoved: string[];
  changes: ReplayChange[];
}

/** How much one replay looks at. */
export interface ReplayLimits {
  /** Events that are read at once. */
  page: number;
  events: number;
  /** Characters of their messages, because parts of them are held in memory to the end. */
  text: number;
  /** Milliseconds: less than a client waits. */
  time: number;
}

const LIMITS: ReplayLimits = { page: 250, events: 100_000, text: 50_000_000, time: 20_000 };
const FINDINGS = 20;

/** Tries edited knowledge on stored Events and tells what would change. Writes nothing. */
@Injectable()
export class ReplayService {
  #running = false;

  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly recognisers: RecogniserService,
    private readonly events: StoredEventRepository,
    private readonly clock: Clock,
    @Optional() private readonly limits: ReplayLimits = LIMITS,
  ) {}

  /**
   * Runs one replay, one at a time. Stops early when `gone` says that nobody waits for it.
   *
   * @throws RequestError BAD_INPUT when the edited knowledge has mistakes, BusyError while another replay runs
   */
  async run(edits: KnowledgeEdits, range: ReplayRange, scope: Scope, gone: () => boolean = () => false): Promise<Replayed> {
    if (this.#running) throw new BusyError('another replay is running', this.limits.time / 1000);
    this.#running = true;
    try {
      const { knowledge, findings } = await this.knowledge.withEdits(edits);
      if (findings.length > 0) throw new RequestError('BAD_INPUT', mistakes(findings));
      const [now, then] = [new ReplaySide(this.recognisers.current()), new ReplaySide(compileRecogniser(knowledge))];
      const before = now.recogniser.knowledge;
      const { count, complete } = await this.#feed([now, then], range, scope, gone);
      const at = this.clock.now();
      return {
        events: count,
        complete,
        problemsAdded: [...knowledge.byId.keys()].filter((id) => !before.byId.has(id)),
        problemsRemoved: [...before.byId.keys()].filter((id) => !knowledge.byId.has(id)),
        changes: compareReplays(now.incidents(at), then.incidents(at)),
      };
    } finally {
      this.#running = false;
    }
  }

  async #feed(
    sides: readonly ReplaySide[],
    range: ReplayRange,
    scope: Scope,
    gone: () => boolean,
  ): Promise<{ count: number; complete: boolean }> {
    const started = performance.now();
    const most = this.limits;
    let after: StoredEventKey | undefined;
    for (let [count, text] = [0, 0]; ;) {
      // One more than fits, to know whether the range ends here.
      const limit = Math.min(most.page, most.events - count + 1);
      const page: StoredEvent[] = await this.events.page(scope, range, limit, after);
      for (const event of page.slice(0, most.events - count)) for (const side of sides) side.add(event);
      count += page.length;
      text += page.reduce((sum, { event }) => sum + event.message.length, 0);
      after = page.at(-1);
      if (count > most.events) return { count: most.events, complete: false };
      if (page.length < limit) return { count, complete: true };
      if (text > most.text || performance.now() - started > most.time || gone()) return { count, complete: false };
    }
  }
}

function mistakes(findings: readonly Finding[]): string {
  const shown = findings.slice(0, FINDINGS).map(formatFinding).join('; ');
  const more = findings.length > FINDINGS ? `; and ${findings.length - FINDINGS} more` : '';
  return `The edited knowledge has mistakes: ${shown}${more}`;
}
