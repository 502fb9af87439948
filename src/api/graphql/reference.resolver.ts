import { Args, Context, Int, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Type } from '@nestjs/common';
import { findAnnotation, findPodState } from '../../knowledge/find-in-reference.js';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import type { Guide as KnownGuide, Problem as KnownProblem } from '../../knowledge/problem.js';
import type * as Known from '../../knowledge/reference-file.js';
import type { Locale as LocaleWord } from '../choose-locale.js';
import { explainExitCode } from '../explain-exit-code.js';
import { checkText } from '../page.js';
import { presentCauses } from '../present-causes.js';
import { Provider } from './enums.js';
import type { ValueOf } from './enums.js';
import type { GraphqlContext } from './graphql-context.js';
import { Guide } from './guide-types.js';
import { LOCALE, textResolver } from './knowledge-fields.js';
import type { LocalTextValue } from './knowledge-fields.js';
import { toCauses } from './problem.resolver.js';
import { Cause, Problem } from './problem-types.js';
import { Annotation, ExitCode, LoadBalancerRule, NodeCondition, NodeTaint, PodState, Signal } from './reference-types.js';

const PROVIDER = { type: () => Provider, nullable: true, description: 'Only those that hold for this provider.' } as const;
const KIND = {
  type: () => String,
  nullable: true,
  description: 'Only those of this kind of object; letter case does not matter.',
} as const;

/** An entry that names problems and guides. */
interface Linked {
  problems: readonly string[];
  guides: readonly string[];
}

/** An exit code on its way out. */
type ExitCodeToShow = Linked & {
  given: number;
  code: number;
  name?: string | undefined;
  origin: string;
  signal: Known.Signal | undefined;
  folding?: LocalTextValue | undefined;
};

/** Answers questions about the reference tables. */
@Resolver()
export class ReferenceResolver {
  constructor(private readonly knowledge: KnowledgeService) {}

  @Query(() => ExitCode, { nullable: true, description: 'What an exit code of a container means; null when the table is empty.' })
  exitCode(
    @Args('code', { type: () => Int, description: 'The code; one outside 0-255 is folded.' }) code: number,
  ): ExitCodeToShow | undefined {
    const found = explainExitCode(this.knowledge.current().reference.exitCodes, code);
    return (
      found && {
        ...found.entry,
        name: 'name' in found.entry ? found.entry.name : undefined,
        given: found.given,
        code: found.code,
        signal: found.signal,
        folding: found.folding,
      }
    );
  }

  @Query(() => PodState, { nullable: true, description: 'What a state that kubectl shows for a Pod means; null when nobody knows it.' })
  podState(
    @Args('name', { type: () => String, description: 'State such as CrashLoopBackOff; letter case and the prefix Init: do not matter.' })
    name: string,
  ): Known.PodState | undefined {
    return findPodState(this.knowledge.current().reference.podStates, checkText('name', name));
  }

  @Query(() => [PodState], { description: 'All states that kubectl shows for Pods.' })
  podStates(): readonly Known.PodState[] {
    return this.knowledge.current().reference.podStates;
  }

  @Query(() => Annotation, { nullable: true, description: 'What an annotation means; null when nobody knows it.' })
  annotation(
    @Args('key', { type: () => String, description: 'Key as copied from a manifest.' }) key: string,
  ): Known.Annotation | undefined {
    return findAnnotation(this.knowledge.current().reference.annotations, checkText('key', key));
  }

  @Query(() => [Annotation], { description: 'Annotations, and the labels, tags and keys beside them.' })
  annotations(
    @Args('provider', PROVIDER) provider: ValueOf<typeof Provider> | null,
    @Args('kind', KIND) kind: string | null,
  ): Known.Annotation[] {
    const all = this.knowledge.current().reference.annotations;
    return all.filter(
      ({ providers, kinds }) =>
        (!provider || providers.some((own) => own === provider)) && (!kind || kinds.some((own) => sameKind(own, kind))),
    );
  }

  @Query(() => [NodeCondition], { description: 'Conditions of nodes that are faults.' })
  nodeConditions(): readonly Known.NodeCondition[] {
    return this.knowledge.current().reference.nodeConditions.conditions;
  }

  @Query(() => [NodeTaint], { description: 'Taints that clusters and people set on nodes.' })
  nodeTaints(): readonly Known.NodeTaint[] {
    return this.knowledge.current().reference.nodeConditions.taints;
  }

  @Query(() => [LoadBalancerRule], { description: 'Rules about which Service or Ingress gets a load balancer.' })
  loadBalancerRules(
    @Args('provider', PROVIDER) provider: ValueOf<typeof Provider> | null,
    @Args('kind', KIND) kind: string | null,
  ): Known.LoadBalancerRule[] {
    const all = this.knowledge.current().reference.loadBalancerRules;
    return all.filter((rule) => (!provider || rule.provider === provider) && (!kind || sameKind(rule.kind, kind)));
  }
}

/** Shows the causes behind an exit code. */
@Resolver(() => ExitCode)
export class ExitCodeResolver {
  constructor(private readonly knowledge: KnowledgeService) {}

  @ResolveField(() => [Cause], { description: 'The causes of the problems that it may show, in their order.' })
  causes(@Parent() { problems }: Linked, @Args('locale', LOCALE) locale: LocaleWord | null, @Context() context: GraphqlContext): Cause[] {
    return found(problems, this.knowledge.current().byId).flatMap((problem) => toCauses(presentCauses(problem, locale ?? context.locale)));
  }
}

/** Makes the resolver of the links of a type to problems and guides. */
function linkResolver(type: () => Type<unknown>): Type<object> {
  @Resolver(type)
  class LinkResolver {
    constructor(private readonly knowledge: KnowledgeService) {}

    @ResolveField(() => [Problem], { description: 'Problems that it may show, most likely first.' })
    problems(@Parent() { problems }: Linked): KnownProblem[] {
      return found(problems, this.knowledge.current().byId);
    }

    @ResolveField(() => [Guide], { description: 'Guides to go on with.' })
    guides(@Parent() { guides }: Linked): KnownGuide[] {
      return found(guides, this.knowledge.current().guideById);
    }
  }
  return LinkResolver;
}

function found<T>(ids: readonly string[], known: ReadonlyMap<string, T>): T[] {
  return ids.map((id) => known.get(id)).filter((item) => item !== undefined);
}

function sameKind(own: string, wanted: string): boolean {
  return own === '*' || own.toLowerCase() === wanted.trim().toLowerCase();
}

const meaning = { description: 'What it means.' };
const lifetime = {
  since: { description: 'From which version on.', nullable: true },
  until: { description: 'Up to which version, and what took its place.', nullable: true },
};

/** Every resolver of the reference tables. */
export const REFERENCE_RESOLVERS = [
  ReferenceResolver,
  ExitCodeResolver,
  ...[ExitCode, PodState, Annotation, NodeCondition, NodeTaint, LoadBalancerRule].map((type) => linkResolver(() => type)),
  textResolver(() => Signal, { meaning }),
  textResolver(() => ExitCode, {
    title: { description: 'What it means in a few words.' },
    meaning: { description: 'What it says about the end of the container.' },
    folding: { description: 'How a code outside 0-255 arrives.', nullable: true },
  }),
  textResolver(() => PodState, {
    meaning,
    note: { description: 'What to know besides, such as versions that no longer show it.', nullable: true },
  }),
  textResolver(() => Annotation, { meaning, values: { description: 'Values that are allowed, and their format.', nullable: true } }),
  textResolver(() => NodeCondition, { meaning, ...lifetime }),
  textResolver(() => NodeTaint, { meaning, ...lifetime }),
  textResolver(() => LoadBalancerRule, {
    cluster: { description: 'Clusters that it holds for; all when null.', nullable: true },
    when: { description: 'What has to hold of the object.' },
    means: { description: 'What then happens.' },
  }),
];
