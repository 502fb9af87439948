import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import { Metrics } from '../../platform/metrics.service.js';

/** Shows among the metrics which knowledge is in force. */
@Injectable()
export class KnowledgeMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly knowledge: KnowledgeService,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('casebook_knowledge_problems', 'Problems of the knowledge in force.', [], (gauge) =>
      gauge.set(this.knowledge.current().problems.length),
    );
    this.metrics.gauge('casebook_knowledge_info', 'Always 1, for the version of the knowledge in force.', ['version'], (gauge) => {
      gauge.reset();
      gauge.set({ version: this.knowledge.current().version }, 1);
    });
    this.metrics.gauge(
      'casebook_knowledge_reload_failed',
      '1 while the files of the knowledge have mistakes and the last good set stays in force, else 0.',
      [],
      (gauge) => gauge.set(this.knowledge.lastError ? 1 : 0),
    );
  }
}
