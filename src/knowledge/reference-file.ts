import { z } from 'zod';
import { ClusterProvider, LocalText } from './problem-file.js';

/**
 * The shapes of the reference tables, `knowledge/reference/<name>.yaml`: what codes, states, conditions and annotations
 * mean, for portals to link to. Each entry names the problems and guides that it leads to.
 */

const sentence = z.string().trim().min(1);
const links = {
  problems: z.array(sentence).default([]).describe('Ids of the problems it may show, most likely first.'),
  guides: z.array(sentence).default([]).describe('Ids of the guides to go on with.'),
};

export const ExitCodeOrigin = z
  .enum(['program', 'shell', 'sysexits', 'runtime', 'signal'])
  .describe('Who gives the code: the program, a shell, a program that keeps to sysexits.h, the container runtime, or a signal (128 + its number).');
export type ExitCodeOrigin = z.infer<typeof ExitCodeOrigin>;

const exitMeaning = { origin: ExitCodeOrigin, title: LocalText.describe('In a few words.'), meaning: LocalText.describe('What it says about the end of the container.'), ...links };

export const Signal = z.strictObject({
  name: z.string().regex(/^SIG[A-Z0-9]+$/, 'expected a name such as SIGKILL'),
  number: z.int().min(1).max(64).describe('Number on Linux, x86 and Arm.'),
  elsewhere: z
    .array(z.strictObject({ architecture: sentence, number: z.int().min(1).max(64) }))
    .default([])
    .describe('Numbers of other architectures, where they differ.'),
  action: z.enum(['Term', 'Core', 'Ign', 'Stop', 'Cont']).describe('What happens to a process that does not handle it: end, end with a core dump, nothing, stop, go on.'),
  meaning: LocalText,
});
export type Signal = z.infer<typeof Signal>;

export const ExitCode = z.strictObject({
  code: z.int().min(0).max(255),
  name: sentence.optional().describe('Name in sysexits.h.'),
  signal: sentence.optional().describe('Name of the signal behind it, on x86 and Arm.'),
  ...exitMeaning,
});
export type ExitCode = z.infer<typeof ExitCode>;

export const ExitCodeRange = z.strictObject({ from: z.int().min(0).max(255), to: z.int().min(0).max(255), ...exitMeaning });
export type ExitCodeRange = z.infer<typeof ExitCodeRange>;

/** `knowledge/reference/exit-codes.yaml`. */
export const ExitCodesFile = z.strictObject({
  folding: z
    .strictObject({
      text: LocalText.describe('How a code outside 0-255 arrives.'),
      negative: sentence.describe('Formula for codes below 0.'),
      positive: sentence.describe('Formula for codes from 0.'),
      examples: z.array(z.strictObject({ given: z.int(), code: z.int().min(0).max(255) })).default([]),
    })
    .optional(),
  signals: z.array(Signal).default([]),
  codes: z.array(ExitCode).default([]).describe('Codes with a meaning of their own.'),
  ranges: z.array(ExitCodeRange).default([]).describe('What stands for the codes that are not among them.'),
});
export type ExitCodesFile = z.infer<typeof ExitCodesFile>;

export const PodState = z.strictObject({
  name: sentence.describe('As kubectl shows it.'),
  kind: z
    .enum(['phase', 'waiting', 'terminated', 'condition', 'pod', 'node'])
    .describe('What says it: phase of the Pod, reason of a waiting or ended container, condition of the Pod, reason of the Pod, or state of its node.'),
  aliases: z.array(sentence).default([]).describe('Other spellings and names.'),
  meaning: LocalText,
  note: LocalText.optional().describe('What to know besides, such as versions that no longer show it.'),
  ...links,
});
export type PodState = z.infer<typeof PodState>;

/** `knowledge/reference/pod-states.yaml`. */
export const PodStatesFile = z.strictObject({ states: z.array(PodState).default([]) });

export const Annotation = z.strictObject({
  key: sentence.describe('Whole key, as written in the object.'),
  on: z.enum(['annotation', 'label', 'finalizer', 'tag', 'secret-key']).default('annotation').describe('What the key is; tag: of the cloud.'),
  providers: z.array(ClusterProvider).min(1),
  kinds: z.array(sentence).min(1).describe('Kinds of object that carry it.'),
  writtenBy: z.enum(['user', 'controller']).default('user'),
  meaning: LocalText,
  values: LocalText.optional().describe('Values that are allowed, and their format.'),
  example: sentence.optional(),
  ...links,
});
export type Annotation = z.infer<typeof Annotation>;

/** `knowledge/reference/annotations.yaml`. */
export const AnnotationsFile = z.strictObject({ annotations: z.array(Annotation).default([]) });

const lifetime = { since: LocalText.optional().describe('From which version on.'), until: LocalText.optional().describe('Up to which version, and what took its place.') };

export const NodeCondition = z.strictObject({
  type: sentence,
  status: z.enum(['True', 'False', 'Unknown']).describe('The status that is a fault.'),
  meaning: LocalText,
  taint: sentence.optional().describe('Key of the taint that the cluster sets for it.'),
  ...lifetime,
  ...links,
});
export type NodeCondition = z.infer<typeof NodeCondition>;

export const NodeTaint = z.strictObject({
  key: sentence,
  effects: z.array(z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])).min(1),
  setBy: z.enum(['node-controller', 'kubelet', 'cloud-controller', 'network-plugin', 'installer', 'user']),
  meaning: LocalText,
  ...lifetime,
  ...links,
});
export type NodeTaint = z.infer<typeof NodeTaint>;

/** `knowledge/reference/node-conditions.yaml`. */
export const NodeConditionsFile = z.strictObject({ conditions: z.array(NodeCondition).default([]), taints: z.array(NodeTaint).default([]) });
export type NodeConditionsFile = z.infer<typeof NodeConditionsFile>;

export const LoadBalancerRule = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/, 'expected lower-case words joined by hyphens'),
  provider: ClusterProvider,
  kind: z.enum(['Service', 'Ingress']),
  creates: z.boolean().describe('True if the provider makes a load balancer of its own for the object.'),
  cluster: LocalText.optional().describe('Clusters that it holds for; all without it.'),
  when: LocalText.describe('What has to hold of the object.'),
  means: LocalText.describe('What then happens.'),
  annotations: z.array(sentence).default([]).describe('Keys that it turns on, or that are written.'),
  ...links,
});
export type LoadBalancerRule = z.infer<typeof LoadBalancerRule>;

/** `knowledge/reference/load-balancer-rules.yaml`. */
export const LoadBalancerRulesFile = z.strictObject({ rules: z.array(LoadBalancerRule).default([]) });

/** All tables by the name of their file. */
export const referenceFiles = {
  'exit-codes': ExitCodesFile,
  'pod-states': PodStatesFile,
  annotations: AnnotationsFile,
  'node-conditions': NodeConditionsFile,
  'load-balancer-rules': LoadBalancerRulesFile,
} as const;
export type ReferenceName = keyof typeof referenceFiles;

/** True for the name of a table. */
export function isReferenceName(name: string): name is ReferenceName {
  return Object.hasOwn(referenceFiles, name);
}

/** The tables, complete; a table whose file is missing is empty. */
export interface Reference {
  exitCodes: ExitCodesFile;
  podStates: readonly PodState[];
  annotations: readonly Annotation[];
  nodeConditions: NodeConditionsFile;
  loadBalancerRules: readonly LoadBalancerRule[];
}
