import { Args, Context, Query, Resolver } from '@nestjs/graphql';
import { ReplayService } from '../../pipeline/replay.service.js';
import { Clock } from '../../platform/clock.js';
import { RequestError } from '../../platform/refusal.js';
import { checkText } from '../page.js';
import type { GraphqlContext } from './graphql-context.js';
import { Needs } from './needs.js';
import { KnowledgeFileInput, Replay } from './replay-types.js';
import { DateTime } from './scalars.js';

const DAY = 86_400_000;
const USUAL_RANGE = 7 * DAY;
const LONGEST_RANGE = 31 * DAY;
const MOST_FILES = 2000;
const MOST_NAMES = 500;
const PATH = /^(?:[A-Za-z0-9_-]+\/){1,3}[A-Za-z0-9_-]+\.yaml$/;

/** Tries knowledge before it is published. */
@Resolver(() => Replay)
export class ReplayResolver {
  constructor(
    private readonly replays: ReplayService,
    private readonly clock: Clock,
  ) {}

  @Needs('operator')
  @Query(() => Replay, {
    description:
      'Runs edited knowledge over stored events and tells which incidents would open, close, change their problem or lose their diagnosis. Both sides are made of the stored events alone, so that what differs comes from the knowledge. Nothing is written. One at a time.',
  })
  async replay(
    @Args('knowledge', {
      type: () => [KnowledgeFileInput],
      description: 'Files that are laid over the knowledge in force, at most 2,000.',
    })
    knowledge: KnowledgeFileInput[],
    @Args('from', {
      type: () => DateTime,
      nullable: true,
      description: 'Only events first received from then on; by default seven days before "to".',
    })
    from: number | null,
    @Args('to', {
      type: () => DateTime,
      nullable: true,
      description: 'Only events first received before then; now by default. At most 31 days after "from".',
    })
    to: number | null,
    @Args('clusters', { type: () => [String], nullable: true, description: 'Names of clusters, at most 500; all by default.' })
    clusters: string[] | null,
    @Context() { scope, gone }: GraphqlContext,
  ): Promise<Replay> {
    const end = to ?? this.clock.now() + 1;
    const start = from ?? end - USUAL_RANGE;
    if (start >= end) throw new RequestError('BAD_INPUT', 'from has to lie before to.');
    if (end - start > LONGEST_RANGE) throw new RequestError('BAD_INPUT', 'from and to are more than 31 days apart.');
    if (clusters && clusters.length > MOST_NAMES)
      throw new RequestError('BAD_INPUT', `clusters holds ${clusters.length} names; at most ${MOST_NAMES} are allowed.`);
    const range = { from: start, to: end, ...(clusters?.length && { clusters: clusters.map((name) => checkText('clusters', name)) }) };
    const started = performance.now();
    const replayed = await this.replays.run(editsOf(knowledge), range, scope, gone);
    return { ...replayed, seconds: Math.round(performance.now() - started) / 1000 };
  }
}

function editsOf(files: readonly KnowledgeFileInput[]): Map<string, string | null> {
  if (files.length > MOST_FILES)
    throw new RequestError('BAD_INPUT', `knowledge holds ${files.length} files; at most ${MOST_FILES} are allowed.`);
  const edits = new Map<string, string | null>();
  for (const { path, text } of files) {
    if (!PATH.test(path) || path.length > 200)
      throw new RequestError(
        'BAD_INPUT',
        `knowledge: ${JSON.stringify(path.slice(0, 200))} is no path of a knowledge file such as kubernetes/widget/stuck.yaml.`,
      );
    if (edits.has(path)) throw new RequestError('BAD_INPUT', `knowledge: ${path} stands twice.`);
    edits.set(path, text ?? null);
  }
  return edits;
}
