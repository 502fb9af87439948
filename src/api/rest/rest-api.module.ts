import { Module, type DynamicModule } from '@nestjs/common';
import { DiagnoseService } from '../../pipeline/diagnose.service.js';
import { TrendCsv } from '../history/trend-csv.service.js';
import { TrendService } from '../history/trend.service.js';
import { CatalogueController } from '../pages/catalogue.controller.js';
import { ClusterMetrics } from './cluster-metrics.service.js';
import { ClustersController } from './clusters.controller.js';
import { DiagnoseController } from './diagnose.controller.js';
import { DocsController } from './docs.controller.js';
import { GuidesController } from './guides.controller.js';
import { HealthController } from './health.controller.js';
import { HttpMetrics } from './http-metrics.service.js';
import { IncidentChangesController } from './incident-changes.controller.js';
import { IncidentWorkController } from './incident-work.controller.js';
import { KnowledgeMetrics } from './knowledge-metrics.service.js';
import { ProblemsController } from './problems.controller.js';
import { RejectedController } from './rejected.controller.js';
import { MIGRATIONS_FOLDER, ReadinessService } from './readiness.service.js';
import { StoredMetrics } from './stored-metrics.service.js';
import { TrendsController } from './trends.controller.js';

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
        RejectedController,
        HealthController,
        IncidentChangesController,
        IncidentWorkController,
        TrendsController,
        DocsController,
        CatalogueController,
      ],
      providers: [
        ClusterMetrics,
        DiagnoseService,
        HttpMetrics,
        KnowledgeMetrics,
        ReadinessService,
        StoredMetrics,
        TrendCsv,
        TrendService,
        { provide: MIGRATIONS_FOLDER, useValue: options.migrationsFolder },
      ],
    };
  }
}
