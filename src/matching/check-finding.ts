/** Something an author should know of a problem; an error keeps the knowledge from passing. */
export interface CheckFinding {
  problem: string;
  file: string;
  level: 'error' | 'warning';
  message: string;
}
