import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { LOGGER } from '../platform/logger.service.js';
import type { Logger } from '../platform/logger.service.js';
import { Database, DatabaseUnavailableError } from './database.service.js';
import { beginChangeEpoch } from './statements/begin-change-epoch.js';

/** Begins an epoch of the sequence of changes at the start, so that no position outlives the history that a backup has undone. */
@Injectable()
export class ChangeEpochs implements OnModuleInit {
  constructor(
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    const id = randomBytes(6).toString('base64url');
    const server = await this.#server();
    const foreign = await this.database.transaction((connection) => beginChangeEpoch(connection, id, server));
    if (foreign > 0) this.logger.warn({ changes: foreign }, 'changes of another server came with a restored backup and were taken away');
  }

  /** Which server this is, and which of its histories: a restore to a point in time begins another timeline. Empty if it does not tell. */
  async #server(): Promise<string> {
    try {
      const [row] = await this.database.rows<{ server: string }>(
        `SELECT c.system_identifier || '.' || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS server FROM pg_control_system() c`,
      );
      return row!.server;
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error;
      this.logger.info({ err: error }, 'this server does not tell its timeline: cursors may outlive a restore to a point in time');
      return '';
    }
  }
}
