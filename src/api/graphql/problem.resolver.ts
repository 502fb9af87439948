import { Args, Context, ID, Int, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import type { Problem as KnownProblem } from '../../knowledge/problem.js';
import { describeClears } from '../describe-clears.js';
import type { Locale as LocaleWord } from '../choose-locale.js';
import { presentCauses } from '../present-causes.js';
import type { PresentedCause } from '../present-causes.js';
import { listProblems } from '../list-problems.js';
import { checkText } from '../page.js';
import { problemsOfCode } from '../search-problems.js';
import type { Connection } from './connection-types.js';
import { withTotal } from './connection-types.js';
import { Locale, Provider } from './enums.js';
import type { ValueOf } from './enums.js';
import type { GraphqlContext } from './graphql-context.js';
import { Cause, Problem, ProblemConnection } from './problem-types.js';

const PAGE = 50;
const LOCALE = {
  type: () => Locale,
  nullable: true,
  description: 'Language; by default that of the Accept-Language header, else EN.',
} as const;

/** Causes in the form of the schema. */
export function toCauses(causes: readonly PresentedCause[]): Cause[] {
  return causes.map(({ remedies, ...cause }) => ({ ...cause, remedies: remedies.map((text) => ({ text })) }));
}

/** Answers questions about the knowledge base. */
@Resolver(() => Problem)
export class ProblemResolver {
  constructor(private readonly knowledge: KnowledgeService) {}

  @Query(() => Problem, { nullable: true, description: 'One problem by its id; null when there is none.' })
  problem(@Args('id', { type: () => ID, description: 'Id such as tke/ingress/E4011.' }) id: string): KnownProblem | undefined {
    return this.knowledge.current().byId.get(id);
  }

  @Query(() => ProblemConnection, { description: 'Problems of the knowledge base, best fit first, else by id.' })
  problems(
    @Args('search', {
      type: () => String,
      nullable: true,
      description: 'Words of either language, a code, an id, an annotation, a command or an error text, at most 200 characters.',
    })
    search: string | null,
    @Args('provider', { type: () => Provider, nullable: true, description: 'Whose problems.' }) provider: ValueOf<typeof Provider> | null,
    @Args('area', { type: () => String, nullable: true, description: 'Area such as ingress.' }) area: string | null,
    @Args('first', { type: () => Int, nullable: true, defaultValue: PAGE, description: 'Most rows to return, 1 to 200.' })
    first: number | null,
    @Args('after', { type: () => String, nullable: true, description: 'Cursor after which to go on.' }) after: string | null,
  ): Connection<KnownProblem> {
    const { total, ...page } = listProblems(this.knowledge.current(), { search, provider, area, first: first ?? PAGE, after });
    return withTotal(page, () => total);
  }

  @Query(() => [Problem], { description: 'What an error code means, for each kind of object that it can come from.' })
  errorCode(
    @Args('code', { type: () => String, description: 'Code such as E4011; letter case does not matter.' }) code: string,
    @Args('kind', { type: () => String, nullable: true, description: 'Kind of object that showed it.' }) kind: string | null,
    @Args('provider', { type: () => Provider, nullable: true, description: 'Whose code it is.' }) provider: ValueOf<typeof Provider> | null,
  ): KnownProblem[] {
    return problemsOfCode(this.knowledge.current(), checkText('code', code), kind ?? undefined, provider ?? undefined);
  }

  @ResolveField(() => String, { description: 'What it is called.' })
  title(@Parent() problem: KnownProblem, @Args('locale', LOCALE) locale: LocaleWord | null, @Context() context: GraphqlContext): string {
    return problem.title[locale ?? context.locale];
  }

  @ResolveField(() => String, { description: 'What it is, in two or three sentences.' })
  summary(@Parent() problem: KnownProblem, @Args('locale', LOCALE) locale: LocaleWord | null, @Context() context: GraphqlContext): string {
    return problem.summary[locale ?? context.locale];
  }

  @ResolveField(() => String, { description: 'What happens if nobody acts.' })
  consequence(
    @Parent() problem: KnownProblem,
    @Args('locale', LOCALE) locale: LocaleWord | null,
    @Context() context: GraphqlContext,
  ): string {
    return problem.consequence[locale ?? context.locale];
  }

  @ResolveField(() => [Cause], {
    description: 'Why it can happen, most likely first; {placeholders} in commands stand for what a diagnosis fills in.',
  })
  causes(@Parent() problem: KnownProblem, @Args('locale', LOCALE) locale: LocaleWord | null, @Context() context: GraphqlContext): Cause[] {
    return toCauses(presentCauses(problem, locale ?? context.locale));
  }

  @ResolveField(() => String, { description: 'How an incident of it ends, besides by the end of the object and by a person.' })
  clears(@Parent() problem: KnownProblem): string {
    return describeClears(problem.clears);
  }

  @ResolveField(() => [Problem], { description: 'Problems that cause it, that it causes, or that look like it.' })
  related(@Parent() problem: KnownProblem): KnownProblem[] {
    const { byId } = this.knowledge.current();
    const ids = new Set(problem.related.map(({ id }) => id));
    return [...ids].map((id) => byId.get(id)).filter((related) => related !== undefined);
  }
}
