import type { ClusterEvent } from '../events/cluster-event.js';
import type { Provider } from '../knowledge/problem-file.js';
import { extractCode, type FoundCode } from './extract-code.js';
import { extractExitCodes, type FoundExitCode } from './extract-exit-codes.js';
import { normaliseMessage } from './normalise-message.js';
import { squeezeText, type SqueezedText } from './squeeze-text.js';

/** What matching needs to know of an event; a ClusterEvent has it, and so has an example of a problem. */
export type MatchableEvent = Pick<ClusterEvent, 'reason' | 'type' | 'reporter' | 'message' | 'alert'> & {
  object: Pick<ClusterEvent['object'], 'kind'>;
};

/** What is known besides the event. */
export interface MatchContext {
  /** Provider of the cluster; undefined when it is not known. */
  provider?: Provider | undefined;
}

/** An event as the rules see it; codes are looked up only when a rule asks. */
export class EventFacts {
  readonly kind: string;
  readonly reason: string;
  readonly type: string;
  readonly reporter: string;
  readonly provider: Provider | undefined;
  readonly message: string;
  readonly text: SqueezedText;
  #code: FoundCode | undefined | null = null;
  #exitCodes: FoundExitCode[] | undefined;

  constructor(event: MatchableEvent, context: MatchContext, room?: SqueezedText) {
    this.kind = event.object.kind.toLowerCase();
    this.reason = event.reason.toLowerCase();
    this.type = event.type.toLowerCase();
    this.reporter = event.reporter.toLowerCase();
    this.provider = context.provider;
    this.message = normaliseMessage(event.message);
    this.text = squeezeText(this.message, room);
  }

  /** The error code that the text names. */
  get code(): FoundCode | undefined {
    if (this.#code === null) this.#code = extractCode(this.text);
    return this.#code;
  }

  /** The exit codes that the text names. */
  get exitCodes(): FoundExitCode[] {
    return (this.#exitCodes ??= extractExitCodes(this.text));
  }
}
