/** A problem recognised in an event. */
export interface Diagnosis {
  /** Id of the problem. */
  problem: string;
  /** 0 to 1, two decimals; orders diagnoses of one event, and tells a code from a mere reason. */
  confidence: number;
  /** One phrase for people: what decided, such as `code E4011 on Ingress`. */
  matchedOn: string;
  /** What the placeholders of the problem's rules took from the text. */
  captured: Record<string, string>;
}
