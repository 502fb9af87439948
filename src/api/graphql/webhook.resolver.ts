import { Args, Context, ID, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { WebhookDesk } from '../../notify/webhook-desk.service.js';
import { RequestError } from '../../platform/refusal.js';
import { isEverything } from '../../platform/scope.js';
import type { DeliveryRecord, Webhook as StoredWebhook, WebhookFilter as StoredFilter } from '../../store/webhook.js';
import { WebhookRepository } from '../../store/webhook.repository.js';
import { decodeCursor, encodeCursor, listOf } from '../cursor.js';
import { checkFirst, pageOf } from '../page.js';
import type { Connection } from './connection-types.js';
import { withTotal } from './connection-types.js';
import type { ValueOf } from './enums.js';
import type { GraphqlContext } from './graphql-context.js';
import { Needs } from './needs.js';
import { isUuid } from './to-incident-types.js';
import {
  CreateWebhookInput,
  DeliveryStatus,
  UpdateWebhookInput,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookFilter,
} from './webhook-types.js';
import type { WebhookFilterInput } from './webhook-types.js';

const PAGE = 20;
const ID_ARGUMENT = { type: () => ID, description: 'Identity of the webhook.' } as const;

/** Looks after webhooks. They tell of all clusters, so they are for those who may see everything. */
@Resolver(() => Webhook)
export class WebhookResolver {
  constructor(
    private readonly desk: WebhookDesk,
    private readonly repository: WebhookRepository,
  ) {}

  @Needs('admin')
  @Query(() => [Webhook], { description: 'All webhooks by name, at most 100; for those who may see all clusters.' })
  webhooks(@Context() context: GraphqlContext): Promise<StoredWebhook[]> {
    checkSeesAll(context);
    return this.repository.list();
  }

  @Needs('admin')
  @Query(() => WebhookDeliveryConnection, {
    description: 'Messages of webhooks, the newest first: those that wait, and those of the last days. For those who may see all clusters.',
  })
  async deliveries(
    @Args('status', { type: () => DeliveryStatus, nullable: true, description: 'Only those that this became of; DEAD for dead letters.' })
    status: ValueOf<typeof DeliveryStatus> | null,
    @Args('webhook', { type: () => ID, nullable: true, description: 'Only those of this webhook.' }) webhook: string | null,
    @Args('first', { type: () => Int, nullable: true, defaultValue: PAGE, description: 'Most rows to return, 1 to 200.' })
    first: number | null,
    @Args('after', { type: () => String, nullable: true, description: 'Cursor after which to go on.' }) after: string | null,
    @Context() context: GraphqlContext,
  ): Promise<Connection<DeliveryRecord>> {
    checkSeesAll(context);
    const wish = { status: status ?? undefined, webhookId: webhook ? checkId(webhook) : undefined };
    const limit = checkFirst(first ?? PAGE);
    const list = listOf('deliveries', wish);
    const position = after ? seqOf(decodeCursor(list, after, ['string'])[0]) : undefined;
    const rows = await this.repository.deliveries({ ...wish, limit: limit + 1, after: position });
    const page = pageOf(
      rows,
      limit,
      after,
      ({ seq }) => encodeCursor(list, [seq]),
      (row) => row,
    );
    return withTotal(page, () => this.repository.countDeliveries(wish));
  }

  @Needs('admin')
  @Mutation(() => Webhook, { description: 'Creates a webhook, which tells changes from now on. Needs CASEBOOK_SECRET_KEY.' })
  createWebhook(
    @Args('input', { type: () => CreateWebhookInput, description: 'The webhook.' }) input: CreateWebhookInput,
  ): Promise<StoredWebhook> {
    return this.desk.create(wantedOf(input));
  }

  @Needs('admin')
  @Mutation(() => Webhook, {
    description:
      'Changes a webhook. Messages that wait are sent as they are to where it leads then; one that is enabled again begins with what happens from then on.',
  })
  updateWebhook(
    @Args('id', ID_ARGUMENT) id: string,
    @Args('input', { type: () => UpdateWebhookInput, description: 'What to change.' }) input: UpdateWebhookInput,
  ): Promise<StoredWebhook> {
    return this.desk.update(checkId(id), wantedOf(input));
  }

  @Needs('admin')
  @Mutation(() => Webhook, { description: 'Deletes a webhook with its messages, also those that wait, and returns what it was.' })
  deleteWebhook(@Args('id', ID_ARGUMENT) id: string): Promise<StoredWebhook> {
    return this.desk.delete(checkId(id));
  }

  @Needs('admin', { reachesOut: true })
  @Mutation(() => WebhookDelivery, {
    description:
      'Sends a test through a webhook at once, also through one that is switched off, and tells what came of it. It is not repeated.',
  })
  testWebhook(@Args('id', ID_ARGUMENT) id: string): Promise<DeliveryRecord> {
    return this.desk.test(checkId(id));
  }

  @Needs('admin')
  @Mutation(() => WebhookDelivery, { description: 'Has a dead message sent again, with the same Idempotency-Key and all attempts anew.' })
  resendDelivery(@Args('id', { type: () => ID, description: 'Identity of the message.' }) id: string): Promise<DeliveryRecord> {
    return this.desk.resend(checkId(id));
  }

  @Needs('admin')
  @Mutation(() => Int, {
    description: 'Has the oldest dead messages of a webhook sent again in their order, at most 1000, and returns how many.',
  })
  resendDeliveries(@Args('webhook', ID_ARGUMENT) webhook: string): Promise<number> {
    return this.desk.resendAll(checkId(webhook));
  }

  @ResolveField(() => WebhookFilter, { description: 'Which incidents it tells of.' })
  filter(@Parent() { filter }: StoredWebhook): Required<StoredFilter> {
    return { clusters: [], namespaces: [], kinds: [], severities: [], problems: [], codes: [], providers: [], ...filter };
  }
}

function wantedOf<T extends { filter?: WebhookFilterInput | null }>({ filter, ...input }: T) {
  return { ...input, filter: filter ? filterOf(filter) : filter };
}

function filterOf(filter: WebhookFilterInput): StoredFilter {
  const set = Object.entries(filter).filter(([, values]) => Array.isArray(values) && values.length > 0) as [keyof StoredFilter, string[]][];
  return Object.fromEntries(set.map(([name, values]) => [name, name === 'codes' ? values.map((code) => code.toUpperCase()) : values]));
}

function checkSeesAll({ scope }: GraphqlContext): void {
  if (!isEverything(scope)) throw new RequestError('FORBIDDEN', 'Webhooks tell of all clusters, and the token may not see all of them.');
}

function checkId(id: string): string {
  if (isUuid(id)) return id;
  throw new RequestError('BAD_INPUT', `id: expected a UUID, got ${JSON.stringify(id.slice(0, 60))}.`);
}

function seqOf(part: string | number | undefined): string {
  if (typeof part === 'string' && /^\d{1,18}$/.test(part)) return part;
  throw new RequestError('BAD_CURSOR', 'The cursor is damaged.');
}
