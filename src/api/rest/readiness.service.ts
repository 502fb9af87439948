import { Inject, Injectable } from '@nestjs/common';
import { readdir } from 'node:fs/promises';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import { ServiceState } from '../../platform/service-state.js';
import { Database } from '../../store/database.service.js';

/** Injection token of the folder with the migrations of this version. */
export const MIGRATIONS_FOLDER = Symbol('MigrationsFolder');

/** Time that the database has to answer, milliseconds. */
const PATIENCE = 2_000;

/** Finds out what the service needs and does not have. */
@Injectable()
export class ReadinessService {
  #migrations: Promise<string[]> | undefined;

  constructor(
    private readonly database: Database,
    private readonly knowledge: KnowledgeService,
    private readonly state: ServiceState,
    @Inject(MIGRATIONS_FOLDER) private readonly folder: string,
  ) {}

  /** One sentence for each thing that is missing; none when the service can do its work. */
  async missing(): Promise<string[]> {
    if (this.state.stopping) return ['the service is stopping'];
    return [...(await this.#database()), ...this.#knowledge()];
  }

  async #database(): Promise<string[]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string[]>((resolve) => (timer = setTimeout(resolve, PATIENCE, ['the database does not answer'])));
    try {
      return await Promise.race([this.#pendingMigrations(), late]);
    } catch {
      return ['the database does not answer'];
    } finally {
      clearTimeout(timer);
    }
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
