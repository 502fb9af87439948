import { Args, Context, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Diagnosis as FoundDiagnosis } from '../../matching/diagnosis.js';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import type { Problem as KnownProblem } from '../../knowledge/problem.js';
import { DiagnoseService } from '../../pipeline/diagnose.service.js';
import { Clock } from '../../platform/clock.js';
import type { Locale as LocaleWord } from '../choose-locale.js';
import { presentCauses, valuesOf } from '../present-causes.js';
import type { PresentedCause, Values } from '../present-causes.js';
import { Locale, Provider } from './enums.js';
import type { ValueOf } from './enums.js';
import type { GraphqlContext } from './graphql-context.js';
import { toCauses } from './problem.resolver.js';
import { Cause, Check, Diagnosis, EventDiagnosis, Problem, Remedy } from './problem-types.js';
import { Json } from './scalars.js';

const LOCALE = {
  type: () => Locale,
  nullable: true,
  description: 'Language; by default that of the Accept-Language header, else EN.',
} as const;

/** A diagnosis on its way out, with the values that its commands are filled with. */
export interface DiagnosisToShow extends FoundDiagnosis {
  problemId: string;
  values: () => Values | Promise<Values>;
}

/** Prepares a diagnosis for the schema; `values` is asked only when a command or remedy is selected. */
export function toDiagnosis(diagnosis: FoundDiagnosis, values: DiagnosisToShow['values']): DiagnosisToShow {
  return { ...diagnosis, problemId: diagnosis.problem, values };
}

/** Diagnoses events, and shows diagnoses with what was captured put into their checks and remedies. */
@Resolver(() => Diagnosis)
export class DiagnosisResolver {
  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly diagnoser: DiagnoseService,
    private readonly clock: Clock,
  ) {}

  @Query(() => [EventDiagnosis], { description: 'Tells what events show, without storing anything; in the order of the events.' })
  diagnose(
    @Args('events', { type: () => [Json], description: 'Kubernetes Events as JSON, or lists of them; at most 1000.' }) events: unknown[],
    @Args('provider', { type: () => Provider, nullable: true, description: 'Provider of the cluster, where it is known.' })
    provider: ValueOf<typeof Provider> | null,
  ): { index: number; diagnoses: DiagnosisToShow[]; rejected: string | null }[] {
    const { results, rejected } = this.diagnoser.values(events, { now: this.clock.now(), provider: provider ?? undefined });
    const diagnosed = results.map(({ index, event, diagnoses }) => ({
      index,
      diagnoses: diagnoses.map((diagnosis) => toDiagnosis(diagnosis, () => valuesOf(event.object, event.host, diagnosis.captured))),
      rejected: null,
    }));
    const refused = rejected.map(({ index, reason }) => ({ index, diagnoses: [], rejected: reason }));
    return [...diagnosed, ...refused].sort((a, b) => a.index - b.index);
  }

  @ResolveField(() => Problem, { nullable: true, description: 'The problem; null when the knowledge base does not hold it any more.' })
  problem(@Parent() { problemId }: DiagnosisToShow): KnownProblem | undefined {
    return this.knowledge.current().byId.get(problemId);
  }

  @ResolveField(() => [Cause], {
    description: 'Causes, most likely first, with what is known of the event put into their texts and commands.',
  })
  async causes(
    @Parent() diagnosis: DiagnosisToShow,
    @Args('locale', LOCALE) locale: LocaleWord | null,
    @Context() context: GraphqlContext,
  ): Promise<Cause[]> {
    return toCauses(await this.#causes(diagnosis, locale ?? context.locale));
  }

  @ResolveField(() => [Check], { description: 'The checks of all causes in their order.' })
  async checks(
    @Parent() diagnosis: DiagnosisToShow,
    @Args('locale', LOCALE) locale: LocaleWord | null,
    @Context() context: GraphqlContext,
  ): Promise<Check[]> {
    return (await this.#causes(diagnosis, locale ?? context.locale)).flatMap(({ checks }) => checks);
  }

  @ResolveField(() => [Remedy], { description: 'The remedies of all causes in their order.' })
  async remedies(
    @Parent() diagnosis: DiagnosisToShow,
    @Args('locale', LOCALE) locale: LocaleWord | null,
    @Context() context: GraphqlContext,
  ): Promise<Remedy[]> {
    return toCauses(await this.#causes(diagnosis, locale ?? context.locale)).flatMap(({ remedies }) => remedies);
  }

  async #causes(diagnosis: DiagnosisToShow, locale: LocaleWord): Promise<PresentedCause[]> {
    const problem = this.problem(diagnosis);
    return problem ? presentCauses(problem, locale, await diagnosis.values()) : [];
  }
}
