import { Inject, Injectable } from '@nestjs/common';
import { readdir } from 'node:fs/promises';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import { Clock } from '../../platform/clock.js';
import { LookedUp } from '../../platform/looked-up.service.js';
import { ServiceState } from '../../platform/service-state.js';
import { within } from '../../platform/within.service.js';
import { Database } from '../../store/database.service.js';

/** Injection token of the folder with the migrations of this version. */
export const MIGRATIONS_FOLDER = Symbol('MigrationsFolder');

/**
 * Anybody may ask, as often as they like: all who ask within a second are told the same, and the database has this long to answer,
 * milliseconds.
 */
const TIMES = { fresh: 1_000, patience: 2_000 };
/** A connection that went silent may keep its statement for many minutes: after this long the next look takes another, milliseconds. */
const GIVE_UP = 10_000;

/** Finds out what the service needs and does not have. */
@Injectable()
export class ReadinessService {
  #migrations: Promise<string[]> | undefined;
  readonly #pending: LookedUp<string[]>;

  constructor(
    private readonly database: Database,
    private readonly knowledge: KnowledgeService,
    private readonly state: ServiceState,
    @Inject(MIGRATIONS_FOLDER) private readonly folder: string,
    clock: Clock,
  ) {
    const ignore = (): void => undefined;
    this.#pending = new LookedUp(clock, () => within(this.#pendingMigrations(), GIVE_UP, 'no answer in time'), ignore, TIMES);
  }

  /** One sentence for each thing that is missing; none when the service can do its work. */
  async missing(): Promise<string[]> {
    if (this.state.stopping) return ['the service is stopping'];
    const pending = await this.#pending.get();
    return [...(pending ?? ['the database does not answer']), ...this.#knowledge()];
  }

  async #pendingMigrations(): Promise<string[]> {
    this.#migrations ??= readdir(this.folder, { withFileTypes: true }).then((entries) =>
      entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
    );
    const applied = await this.database.rows<{ name: string }>(
      'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
    );
    const names = new Set(applied.map(({ name }) => name));
    return (await this.#migrations).filter((name) => !names.has(name)).map((name) => `the migration ${name} is not applied`);
  }

  #knowledge(): string[] {
    try {
      return this.knowledge.current().problems.length > 0 ? [] : ['the knowledge base is empty'];
    } catch {
      return ['the knowledge base is not loaded'];
    }
  }
}
