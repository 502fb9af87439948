import { Module, type DynamicModule } from '@nestjs/common';
import { DiagnoseService } from '../../pipeline/diagnose.service.js';
import { CatalogueController } from '../pages/catalogue.controller.js';
import { ClustersController } from './clusters.controller.js';
import { DiagnoseController } from './diagnose.controller.js';
import { DocsController } from './docs.controller.js';
import { GuidesController } from './guides.controller.js';
import { HealthController } from './health.controller.js';
import { ProblemsController } from './problems.controller.js';
import { MIGRATIONS_FOLDER, ReadinessService } from './readiness.service.js';

/** The REST door. Needs StoreModule, KnowledgeModule, PipelineModule and PlatformModule to be global. */
@Module({})
export class RestApiModule {
  static register(options: { migrationsFolder: string }): DynamicModule {
    return {
      module: RestApiModule,
      controllers: [
        ProblemsController,
        GuidesController,
        DiagnoseController,
        ClustersController,
        HealthController,
        DocsController,
        CatalogueController,
      ],
      providers: [DiagnoseService, ReadinessService, { provide: MIGRATIONS_FOLDER, useValue: options.migrationsFolder }],
    };
  }
}
