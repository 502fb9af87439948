/** One mistake in a knowledge file. */
export interface Finding {
  file: string;
  /** Line in the file, from 1. */
  line: number;
  /** Path of the field inside the file, such as `causes.0.text.zh`; empty for the file as a whole. */
  path: string;
  message: string;
}

/** The finding as one line, in the form that editors make clickable. */
export function formatFinding(finding: Finding): string {
  const path = finding.path === '' ? '' : `${finding.path}: `;
  return `${finding.file}:${finding.line}: ${path}${finding.message}`;
}

/** Knowledge that cannot be used as it stands; carries every mistake that was found, not only the first. */
export class KnowledgeError extends Error {
  readonly code = 'KNOWLEDGE_INVALID';

  constructor(readonly findings: readonly Finding[]) {
    super(findings.map(formatFinding).join('\n'));
    this.name = 'KnowledgeError';
  }
}
