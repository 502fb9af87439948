import { Module, type DynamicModule } from '@nestjs/common';
import { ClusterRepository } from './cluster.repository.js';
import { Database, type DatabaseOptions } from './database.service.js';
import { IncidentRepository } from './incident.repository.js';
import { IntakeRepository } from './intake.repository.js';
import { PartitionRepository } from './partition.repository.js';
import { Prisma } from './prisma.service.js';

/** Gives every room the database's repositories. */
@Module({})
export class StoreModule {
  /** The module on one database, which has all migrations applied. */
  static register(options: DatabaseOptions): DynamicModule {
    const exported = [ClusterRepository, IncidentRepository, IntakeRepository, PartitionRepository];
    const database = { provide: Database, useFactory: () => new Database(options) };
    return { module: StoreModule, global: true, providers: [database, Prisma, ...exported], exports: [Database, ...exported] };
  }
}
