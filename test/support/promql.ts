import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/** A series that an expression asks for. */
export interface Selector {
  name: string;
  /** Conditions on labels; `values` are those that the label may have, none where it is compared in another way than with = and =~. */
  matchers: { label: string; values: string[] }[];
  /** Names of the functions that it stands in, the innermost first. */
  functions: string[];
  /** What it is aggregated by, the innermost first; null for an aggregation without `by`. */
  groupings: (string[] | null)[];
}

/** Reads a PromQL expression with Prometheus's own grammar. Throws where it is wrong, and says where. */
export function readPromql(expression: string): Selector[] {
  const selectors: Selector[] = [];
  const textOf = ({ from, to }: SyntaxNode): string => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter: ({ type, node, from }) => {
      if (type.isError) throw new Error(`wrong at ${JSON.stringify(expression.slice(from, from + 20))}: ${expression}`);
      if (type.name !== 'VectorSelector') return;
      const matchers = node
        .getChild('LabelMatchers')
        ?.getChildren('UnquotedLabelMatcher')
        .map((matcher) => {
          const operator = textOf(matcher.getChild('MatchOp')!);
          const value = textOf(matcher.getChild('StringLiteral')!).slice(1, -1);
          return { label: textOf(matcher.getChild('LabelName')!), values: operator.startsWith('!') ? [] : value.split('|') };
        });
      const functions: string[] = [];
      const groupings: (string[] | null)[] = [];
      for (let outer = node.parent; outer; outer = outer.parent) {
        if (outer.name === 'FunctionCall') functions.push(textOf(outer.getChild('FunctionIdentifier')!));
        if (outer.name !== 'AggregateExpr') continue;
        const labels = outer.getChild('AggregateModifier')?.getChild('GroupingLabels')?.getChildren('LabelName').map(textOf);
        groupings.push(labels ?? null);
      }
      selectors.push({ name: textOf(node.getChild('Identifier')!), matchers: matchers ?? [], functions, groupings });
    },
  });
  return selectors;
}
