/** Keys of the advisory locks that replicas take turns by. All stand here, because two jobs with one key would wait for each other. */
export const ADVISORY_LOCKS = {
  /** One process at a time looks after the partitions. */
  partitions: 7_061_964,
  /** Replicas that start at the same moment begin one span and not two. */
  serviceSpan: 7_061_965,
  /** Two processes that keep what one sender sent to both would wait for each other in a circle. */
  rejectedInput: 7_061_966,
  /** Silences and windows that are created are counted one after the other. */
  silencing: 7_061_967,
  /** One process at a time diagnoses again, for as long as that takes. */
  rediagnosis: 7_061_968,
  /** One replica at a time turns changes into messages. */
  outboxTurn: 7_061_969,
  /** Webhooks that are created are counted one after the other. */
  webhooks: 7_061_970,
  /** One process at a time forgets. */
  forgetting: 7_061_971,
  /** One process at a time makes or drops sums over all clusters. */
  everywhere: 7_061_972,
} as const;
