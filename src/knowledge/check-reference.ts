import { deadLinks, type KnownIds, type LinkMistake } from './check-guide.js';
import type { ExitCodesFile, Reference, ReferenceName } from './reference-file.js';

/** Finds entries of a table that contradict each other, and links that lead nowhere. */
export function checkReference(name: ReferenceName, reference: Reference, known: KnownIds): LinkMistake[] {
  switch (name) {
    case 'exit-codes':
      return [
        ...checkExitCodes(reference.exitCodes),
        ...checkLinks(reference.exitCodes.codes, 'codes', known),
        ...checkLinks(reference.exitCodes.ranges, 'ranges', known),
      ];
    case 'pod-states':
      return [
        ...twice(reference.podStates.map((state) => [state.name, ...state.aliases]), 'states', 'name'),
        ...checkLinks(reference.podStates, 'states', known),
      ];
    case 'annotations':
      return [...twice(reference.annotations.map(({ key }) => [key]), 'annotations', 'key'), ...checkLinks(reference.annotations, 'annotations', known)];
    case 'node-conditions': {
      const { conditions, taints } = reference.nodeConditions;
      const keys = new Set(taints.map(({ key }) => key));
      return [
        ...twice(conditions.map(({ type, status }) => [`${type}=${status}`]), 'conditions', 'type'),
        ...twice(taints.map(({ key }) => [key]), 'taints', 'key'),
        ...conditions.flatMap(({ taint }, i) =>
          taint === undefined || keys.has(taint) ? [] : [{ path: ['conditions', i, 'taint'], message: `there is no taint "${taint}"` }],
        ),
        ...checkLinks(conditions, 'conditions', known),
        ...checkLinks(taints, 'taints', known),
      ];
    }
    case 'load-balancer-rules': {
      const keys = new Set(reference.annotations.map(({ key }) => key));
      return [
        ...twice(reference.loadBalancerRules.map(({ id }) => [id]), 'rules', 'id'),
        ...reference.loadBalancerRules.flatMap(({ annotations }, i) =>
          annotations.flatMap((key, j) => (keys.has(key) ? [] : [{ path: ['rules', i, 'annotations', j], message: `there is no annotation "${key}"` }])),
        ),
        ...checkLinks(reference.loadBalancerRules, 'rules', known),
      ];
    }
  }
}

function checkExitCodes({ signals, codes, ranges }: ExitCodesFile): LinkMistake[] {
  const mistakes = [...twice(codes.map(({ code }) => [`${code}`]), 'codes', 'code'), ...twice(signals.map(({ name }) => [name]), 'signals', 'name')];
  const numbers = new Map(signals.map(({ name, number }) => [name, number]));
  for (const [i, { code, signal }] of codes.entries()) {
    if (signal === undefined) continue;
    const number = numbers.get(signal);
    if (number === undefined) mistakes.push({ path: ['codes', i, 'signal'], message: `there is no signal "${signal}"` });
    else if (code !== 128 + number) mistakes.push({ path: ['codes', i, 'code'], message: `${signal} is signal ${number}, which gives ${128 + number}` });
  }
  const own = new Set(codes.map(({ code }) => code));
  const nobodys = Array.from({ length: 256 }, (_, code) => code).filter((code) => !own.has(code) && !ranges.some(({ from, to }) => from <= code && code <= to));
  if (nobodys.length > 0) mistakes.push({ path: ['ranges'], message: `no entry and no range holds ${nobodys.join(', ')}` });
  return mistakes;
}

function checkLinks(entries: readonly { problems: string[]; guides: string[] }[], field: string, known: KnownIds): LinkMistake[] {
  return entries.flatMap(({ problems, guides }, i) => [
    ...deadLinks(problems, known.problems, 'problem', [field, i, 'problems']),
    ...deadLinks(guides, known.guides, 'guide', [field, i, 'guides']),
  ]);
}

function twice(names: readonly string[][], field: string, key: string): LinkMistake[] {
  const seen = new Set<string>();
  return names.flatMap((own, i) =>
    own.flatMap((name) => {
      if (seen.has(name)) return [{ path: [field, i, key], message: `"${name}" stands there twice` }];
      seen.add(name);
      return [];
    }),
  );
}
