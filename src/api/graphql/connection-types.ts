import type { Type } from '@nestjs/common';
import { Field, Int, ObjectType } from '@nestjs/graphql';
import type { Page } from '../page.js';

@ObjectType({ description: 'Where a page lies in its list.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether more follows after this page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether something comes before this page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first row of this page.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last row of this page; give it as "after" for the next page.' })
  endCursor!: string | null;
}

/** A page and the size of its whole list. */
export interface Connection<T> extends Page<T> {
  readonly totalCount: number | Promise<number>;
}

/** Adds the size of the whole list to a page; it is counted only when the field is read. */
export function withTotal<T>({ nodes, edges, pageInfo }: Page<T>, count: () => number | Promise<number>): Connection<T> {
  return {
    nodes,
    edges,
    pageInfo,
    get totalCount() {
      return count();
    },
  };
}

/** Makes the Relay connection type of a node type; `name` is the node's name, `plural` what a list holds. */
export function connectionType<T>(node: () => Type<T>, name: string, plural: string): Type<Connection<T>> {
  @ObjectType(`${name}Edge`, { description: `One row of a list of ${plural}.` })
  class Edge {
    @Field(() => String, { description: 'Place of the row in the list.' })
    cursor!: string;

    @Field(node, { description: 'The row itself.' })
    node!: T;
  }

  @ObjectType(`${name}Connection`, { description: `A page of a list of ${plural}.` })
  class NodeConnection {
    @Field(() => [node()], { description: 'The rows of this page.' })
    nodes!: T[];

    @Field(() => [Edge], { description: 'The rows of this page, each with its cursor.' })
    edges!: Edge[];

    @Field(() => PageInfo, { description: 'Where the page lies in the list.' })
    pageInfo!: PageInfo;

    @Field(() => Int, { description: 'Number of rows of the whole list; counted only when it is asked for.' })
    totalCount!: number | Promise<number>;
  }
  return NodeConnection as Type<Connection<T>>;
}
