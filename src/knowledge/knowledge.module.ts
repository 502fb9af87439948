import { Module, type DynamicModule } from '@nestjs/common';
import { KnowledgeService } from './knowledge.service.js';

/** Gives every room the knowledge base. */
@Module({})
export class KnowledgeModule {
  /** The module around a knowledge base that is loaded already. */
  static register(knowledge: KnowledgeService): DynamicModule {
    const provider = { provide: KnowledgeService, useValue: knowledge };
    return { module: KnowledgeModule, global: true, providers: [provider], exports: [provider] };
  }
}
