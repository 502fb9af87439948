import { Body, Controller, Headers, HttpCode, Post, Query } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import type { Diagnosis } from '../../matching/diagnosis.js';
import { DiagnoseService } from '../../pipeline/diagnose.service.js';
import type { DiagnosedEvent } from '../../pipeline/diagnose.service.js';
import { Clock } from '../../platform/clock.js';
import { inflateBody } from '../../platform/inflate-body.service.js';
import type { Locale } from '../choose-locale.js';
import { presentCauses, valuesOf } from '../present-causes.js';
import type { Query as QueryValues } from './read-query.js';
import { localeOf, providerOf, textOf } from './read-query.js';

/** Largest body after decompression, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Diagnoses events without storing anything. */
@Controller('v1/diagnose')
export class DiagnoseController {
  constructor(
    private readonly diagnoser: DiagnoseService,
    private readonly knowledge: KnowledgeService,
    private readonly clock: Clock,
  ) {}

  /** Takes the bodies that intake takes; answers what each event shows, best first. */
  @Post()
  @HttpCode(200)
  @RouteConfig({ access: 'token' })
  async diagnose(
    @Body() body: Uint8Array | undefined,
    @Headers('content-encoding') encoding: string | undefined,
    @Headers('accept-language') languages: string | undefined,
    @Query() query: QueryValues,
  ) {
    const locale = localeOf(query, languages);
    const provider = providerOf(query);
    const bytes = await inflateBody(body ?? new Uint8Array(), encoding, MAX_BYTES);
    const { results, rejected } = this.diagnoser.body(bytes, { now: this.clock.now(), provider, format: textOf(query, 'format') });
    return { results: results.map((result) => this.#show(result, locale)), rejected };
  }

  #show({ index, event, diagnoses }: DiagnosedEvent, locale: Locale) {
    return { index, diagnoses: diagnoses.map((diagnosis) => this.#showDiagnosis(diagnosis, event, locale)) };
  }

  #showDiagnosis(diagnosis: Diagnosis, { object, host }: DiagnosedEvent['event'], locale: Locale) {
    const problem = this.knowledge.current().byId.get(diagnosis.problem);
    const causes = problem ? presentCauses(problem, locale, valuesOf(object, host, diagnosis.captured)) : [];
    const { confidence, matchedOn, captured } = diagnosis;
    return {
      problem: diagnosis.problem,
      title: problem?.title[locale] ?? diagnosis.problem,
      confidence,
      matchedOn,
      captured,
      severity: problem?.severity ?? null,
      checks: causes.flatMap(({ checks }) => checks),
      remedies: causes.flatMap(({ remedies }) => remedies),
    };
  }
}
