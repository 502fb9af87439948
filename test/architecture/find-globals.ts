import ts from 'typescript';

/** Globals that give another answer each time, or reach out of the program. `new Date()` stands for the argument-less one. */
const IMPURE = [
  'Date.now',
  'new Date()',
  'performance.now',
  'Math.random',
  'fetch',
  'process',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'crypto',
];

/** Names of the impure globals that a source text uses, and `process.env` in whatever file it stands; each once. */
export function findGlobals(source: string, pure: boolean): string[] {
  const found = new Set<string>();
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.ES2023, true);
  const visit = (node: ts.Node): void => {
    const use = nameOfUse(node);
    if (use === 'process.env' || (pure && use !== undefined && IMPURE.includes(use))) found.add(use);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...found];
}

function nameOfUse(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) return 'new Date()';
  if (ts.isPropertyAccessExpression(node) || (ts.isIdentifier(node) && isRead(node))) return node.getText().replace(/^globalThis\./, '');
  return undefined;
}

/** False for a name that is only declared here or that belongs to another object, as in `a.fetch` or `{ process: 1 }`. */
function isRead(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent) || ts.isQualifiedName(parent)) return false;
  return !('name' in parent && parent.name === node);
}
