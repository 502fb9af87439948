import { Args, ID, Int, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { problemsOfGuide } from '../../knowledge/check-guide.js';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import type { Guide as KnownGuide, Problem as KnownProblem } from '../../knowledge/problem.js';
import { findGuide, listGuides } from '../search-guides.js';
import type { Connection } from './connection-types.js';
import { withTotal } from './connection-types.js';
import { Guide, GuideConnection, GuideLead, GuideOutcome, GuideStep, GuideVersion, ProblemRelation } from './guide-types.js';
import type { OutcomeToShow, StepToShow } from './guide-types.js';
import { textResolver } from './knowledge-fields.js';
import { Problem } from './problem-types.js';

const PAGE = 50;

/** Answers questions about the guides. */
@Resolver(() => Guide)
export class GuideResolver {
  constructor(private readonly knowledge: KnowledgeService) {}

  @Query(() => Guide, { nullable: true, description: 'One guide by its id; null when there is none.' })
  guide(
    @Args('id', { type: () => ID, description: 'Id such as guide/node-disk-full; the part after the slash is enough.' }) id: string,
  ): KnownGuide | undefined {
    return findGuide(this.knowledge.current(), id);
  }

  @Query(() => GuideConnection, { description: 'Guides of the knowledge base, best fit first, else by id.' })
  guides(
    @Args('search', {
      type: () => String,
      nullable: true,
      description: 'Words of either language, a command or an error text, at most 200 characters.',
    })
    search: string | null,
    @Args('first', { type: () => Int, nullable: true, defaultValue: PAGE, description: 'Most rows to return, 1 to 200.' })
    first: number | null,
    @Args('after', { type: () => String, nullable: true, description: 'Cursor after which to go on.' }) after: string | null,
  ): Connection<KnownGuide> {
    const { total, ...page } = listGuides(this.knowledge.current(), { search, first: first ?? PAGE, after });
    return withTotal(page, () => total);
  }

  @ResolveField(() => [Problem], { description: 'Problems that it is about, then those that its outcomes lead to.' })
  problems(@Parent() guide: KnownGuide): KnownProblem[] {
    const { byId } = this.knowledge.current();
    return problemsOfGuide(guide)
      .map((id) => byId.get(id))
      .filter((problem) => problem !== undefined);
  }

  @ResolveField(() => [GuideStep], { description: 'The checks; the first one is where to begin, the outcomes say where to go on.' })
  steps(@Parent() guide: KnownGuide): StepToShow[] {
    return guide.steps.map((step) => ({ ...step, guide }));
  }
}

/** Shows the outcomes of a step. */
@Resolver(() => GuideStep)
export class GuideStepResolver {
  @ResolveField(() => [GuideOutcome], { description: 'What can be seen, and what then.' })
  outcomes(@Parent() { outcomes, guide }: StepToShow): OutcomeToShow[] {
    return outcomes.map((outcome) => ({ ...outcome, guide }));
  }
}

/** Shows where an outcome leads. */
@Resolver(() => GuideOutcome)
export class GuideOutcomeResolver {
  constructor(private readonly knowledge: KnowledgeService) {}

  @ResolveField(() => GuideLead, { nullable: true, description: 'Where to go on; null ends the walk.' })
  lead(@Parent() { lead, guide }: OutcomeToShow): StepToShow | KnownProblem | KnownGuide | undefined {
    if (!lead) return undefined;
    if ('problem' in lead) return this.knowledge.current().byId.get(lead.problem);
    if ('guide' in lead) return this.knowledge.current().guideById.get(lead.guide);
    const step = guide.steps.find(({ id }) => id === lead.step);
    return step && { ...step, guide };
  }
}

/** Links a problem to its guides and, with the direction, to other problems. */
@Resolver(() => Problem)
export class ProblemLinksResolver {
  constructor(private readonly knowledge: KnowledgeService) {}

  @ResolveField(() => [Guide], { description: 'Guides that are about it, then those that may lead to it.' })
  guides(@Parent() { id }: KnownProblem): readonly KnownGuide[] {
    return this.knowledge.current().guidesByProblem.get(id) ?? [];
  }

  @ResolveField(() => [ProblemRelation], {
    description: 'Problems that cause it, that it causes, or that look like it, each with the direction.',
  })
  relations(@Parent() { related }: KnownProblem): { problem: KnownProblem; as: string }[] {
    const { byId } = this.knowledge.current();
    return related.flatMap(({ id, as }) => {
      const problem = byId.get(id);
      return problem ? [{ problem, as }] : [];
    });
  }
}

/** Every resolver of guides. */
export const GUIDE_RESOLVERS = [
  GuideResolver,
  GuideStepResolver,
  GuideOutcomeResolver,
  ProblemLinksResolver,
  textResolver(() => Guide, {
    title: { description: 'What it is called.' },
    symptom: { description: 'What the reader sees when this guide is the right one.' },
  }),
  textResolver(() => GuideVersion, { affected: { description: 'Versions with the fault.' } }),
  textResolver(() => GuideStep, { check: { description: 'What to look at.' } }),
  textResolver(() => GuideOutcome, {
    when: { description: 'The result, as it is seen.' },
    means: { description: 'What it says about the cause.', nullable: true },
    remedy: { description: 'What to do about it.', nullable: true },
  }),
];
