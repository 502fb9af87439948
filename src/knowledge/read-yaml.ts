import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import type { Finding } from './knowledge-error.js';

/** A parsed YAML text that still knows on which line each field stands. */
export interface LocatedYaml<T> {
  value: T | undefined;
  findings: Finding[];
  /** Line of the field at the path, or of the nearest field around it that exists. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** Parses a YAML text against a schema and reports every mistake with its line. */
export function readYaml<S extends z.ZodType>(file: string, text: string, schema: S): LocatedYaml<z.output<S>> {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const lineOf = (path: readonly PropertyKey[]): number => counter.linePos(offsetOf(document, path)).line || 1;
  if (document.errors.length > 0) {
    const findings = document.errors.map((error) => ({
      file,
      line: counter.linePos(error.pos[0]).line || 1,
      path: '',
      message: firstLine(error.message),
    }));
    return { value: undefined, findings, lineOf };
  }
  const raw: unknown = document.toJS() ?? {};
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { value: parsed.data, findings: [], lineOf };
  const findings = flatten(parsed.error.issues).map((issue) => ({
    file,
    line: lineOf(issue.path),
    path: issue.path.map(String).join('.'),
    message: issue.message,
  }));
  return { value: undefined, findings, lineOf };
}

interface FlatIssue {
  path: PropertyKey[];
  message: string;
}

/** A union says only that nothing fitted; the branch with the deepest or fewest complaints says what the author meant. */
function flatten(issues: readonly z.core.$ZodIssue[]): FlatIssue[] {
  return issues.flatMap((issue): FlatIssue[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...issue.path, key], message: `unknown field "${key}"` }));
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const branches = issue.errors.map((branch) => flatten(branch)).toSorted((a, b) => depth(b) - depth(a) || a.length - b.length);
      return branches[0]!.map((inner) => ({ path: [...issue.path, ...inner.path], message: inner.message }));
    }
    const missing = issue.code === 'invalid_type' && /received undefined/.test(issue.message);
    return [{ path: [...issue.path], message: missing ? 'is missing' : issue.message }];
  });
}

function depth(branch: FlatIssue[]): number {
  return Math.max(...branch.map((issue) => issue.path.length));
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (!pair) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else {
      node = isNode(node) && 'get' in node ? (node as { get(k: unknown, keep: true): unknown }).get(key, true) : undefined;
      offset = startOf(node) ?? offset;
    }
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}
