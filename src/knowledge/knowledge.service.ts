import { KnowledgeError, type Finding } from './knowledge-error.js';
import { inspectKnowledge, listKnowledgeFiles, loadKnowledge, type KnowledgeEdits, type KnowledgeFolders } from './knowledge.loader.js';
import type { Knowledge } from './problem.js';

/** The part of a logger that is used here. */
export interface KnowledgeLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Where to load from, and how often to look for changes. */
export interface KnowledgeOptions extends KnowledgeFolders {
  logger: KnowledgeLogger;
  /** Milliseconds between two looks at the folders; 0 for never. Default 2,000. */
  pollMs?: number;
}

/** What a reload came to. */
export type ReloadResult = { ok: true; changed: boolean; version: string } | { ok: false; findings: readonly Finding[] };

/** Holds the current set of problems and replaces it when the files change; a set with mistakes never replaces a good one. */
export class KnowledgeService {
  readonly #options: KnowledgeOptions;
  readonly #listeners = new Set<(knowledge: Knowledge) => void>();
  #current: Knowledge | undefined;
  #lastError: KnowledgeError | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stamp = '';
  #loading: Promise<unknown> = Promise.resolve();
  /** The load that has not begun. */
  #next: Promise<ReloadResult> | undefined;

  constructor(options: KnowledgeOptions) {
    this.#options = options;
  }

  /** Loads the first set, then watches the folders. Throws KnowledgeError if the files are not sound. */
  async start(): Promise<void> {
    this.#stamp = await this.#stampOfFolders();
    const result = await this.reload();
    if (!result.ok) throw this.#lastError!;
    this.#watch();
  }

  /** Ends watching; the current set stays usable. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The set in use. Throws before the first one is loaded. */
  current(): Knowledge {
    if (!this.#current) throw new Error('knowledge is asked for before it is loaded');
    return this.#current;
  }

  /** Mistakes of the last reload; undefined if it went well. */
  get lastError(): KnowledgeError | undefined {
    return this.#lastError;
  }

  /** Calls the listener with every new set, not with the present one. Returns how to stop that. */
  onChange(listener: (knowledge: Knowledge) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Loads the files again and tells the listeners if the content is new. Calls at the same time share one load, but not one that has
   * begun: it may have read a file before that changed.
   */
  reload(): Promise<ReloadResult> {
    if (this.#next) return this.#next;
    const next = this.#loading.then(() => {
      this.#next = undefined;
      return this.#load();
    });
    this.#next = next;
    this.#loading = next.catch(() => undefined);
    return next;
  }

  /** Makes the set that the files would be with edits laid over them, and changes nothing. Mistakes stand beside it. */
  withEdits(edits: KnowledgeEdits): Promise<{ knowledge: Knowledge; findings: Finding[] }> {
    return inspectKnowledge(this.#options, edits);
  }

  /** Looks once whether a file was added, removed or changed, and reloads if so. The timer calls it. */
  async poll(): Promise<void> {
    const stamp = await this.#stampOfFolders();
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    await this.reload();
  }

  async #load(): Promise<ReloadResult> {
    const { logger } = this.#options;
    let knowledge: Knowledge;
    try {
      knowledge = await loadKnowledge(this.#options);
    } catch (error) {
      // A file may vanish between being listed and being read, while an editor or a ConfigMap swaps it.
      const failure =
        error instanceof KnowledgeError ? error : new KnowledgeError([{ file: '', line: 1, path: '', message: String(error) }]);
      if (!(error instanceof KnowledgeError)) this.#stamp = '';
      this.#lastError = failure;
      logger.error(
        { findings: failure.findings },
        this.#current ? 'knowledge is not replaced, its files have mistakes' : 'knowledge files have mistakes',
      );
      return { ok: false, findings: failure.findings };
    }
    this.#lastError = undefined;
    const changed = knowledge.version !== this.#current?.version;
    if (changed) {
      const first = !this.#current;
      this.#current = knowledge;
      logger.info(
        { problems: knowledge.problems.length, version: knowledge.version },
        first ? 'knowledge is loaded' : 'knowledge is replaced',
      );
      for (const listener of this.#listeners) this.#tell(listener, knowledge);
    }
    return { ok: true, changed, version: knowledge.version };
  }

  #tell(listener: (knowledge: Knowledge) => void, knowledge: Knowledge): void {
    try {
      listener(knowledge);
    } catch (error) {
      this.#options.logger.error({ error: String(error) }, 'a listener of knowledge failed');
    }
  }

  #watch(): void {
    const every = this.#options.pollMs ?? 2000;
    if (every <= 0) return;
    const next = (): void => {
      this.#timer = setTimeout(() => {
        void this.poll()
          .catch((error: unknown) => this.#options.logger.warn({ error: String(error) }, 'knowledge folders could not be looked at'))
          .finally(() => this.#timer && next());
      }, every);
      this.#timer.unref();
    };
    next();
  }

  async #stampOfFolders(): Promise<string> {
    const { bundled, overlay } = this.#options;
    const lists = await Promise.all([bundled, overlay].map((folder) => (folder ? listKnowledgeFiles(folder) : [])));
    return lists.map((files) => files?.map(({ path, stamp }) => `${path}:${stamp}`).join('\n') ?? 'unreadable').join('\n\n');
  }
}
