import { registerEnumType } from '@nestjs/graphql';

/** Enum values of the reference tables, and the words that the tables use for them. */
export const ProblemRelationKind = { CAUSE: 'cause', EFFECT: 'effect', SIMILAR: 'similar' } as const;
export const ExitCodeOrigin = { PROGRAM: 'program', SHELL: 'shell', SYSEXITS: 'sysexits', RUNTIME: 'runtime', SIGNAL: 'signal' } as const;
export const SignalAction = { TERM: 'Term', CORE: 'Core', IGN: 'Ign', STOP: 'Stop', CONT: 'Cont' } as const;
export const PodStateKind = {
  PHASE: 'phase',
  WAITING: 'waiting',
  TERMINATED: 'terminated',
  CONDITION: 'condition',
  POD: 'pod',
  NODE: 'node',
} as const;
export const AnnotationPlace = {
  ANNOTATION: 'annotation',
  LABEL: 'label',
  FINALIZER: 'finalizer',
  TAG: 'tag',
  SECRET_KEY: 'secret-key',
} as const;
export const AnnotationWriter = { USER: 'user', CONTROLLER: 'controller' } as const;
export const ConditionStatus = { TRUE: 'True', FALSE: 'False', UNKNOWN: 'Unknown' } as const;
export const TaintEffect = { NO_SCHEDULE: 'NoSchedule', PREFER_NO_SCHEDULE: 'PreferNoSchedule', NO_EXECUTE: 'NoExecute' } as const;
export const TaintSetter = {
  NODE_CONTROLLER: 'node-controller',
  KUBELET: 'kubelet',
  CLOUD_CONTROLLER: 'cloud-controller',
  NETWORK_PLUGIN: 'network-plugin',
  INSTALLER: 'installer',
  USER: 'user',
} as const;

registerEnumType(ProblemRelationKind, {
  name: 'ProblemRelationKind',
  description: 'What another problem is to a problem.',
  valuesMap: {
    CAUSE: { description: 'The other one can bring this one about.' },
    EFFECT: { description: 'This one can bring the other one about.' },
    SIMILAR: { description: 'The other one looks like it and is easily mistaken for it.' },
  },
});
registerEnumType(ExitCodeOrigin, {
  name: 'ExitCodeOrigin',
  description: 'Who gives an exit code.',
  valuesMap: {
    PROGRAM: { description: 'The program itself.' },
    SHELL: { description: 'A shell that ran the program.' },
    SYSEXITS: { description: 'A program that keeps to sysexits.h.' },
    RUNTIME: { description: 'The container runtime.' },
    SIGNAL: { description: 'A signal; the code is 128 and its number.' },
  },
});
registerEnumType(SignalAction, {
  name: 'SignalAction',
  description: 'What a signal does to a process that does not handle it.',
  valuesMap: {
    TERM: { description: 'It ends.' },
    CORE: { description: 'It ends with a core dump.' },
    IGN: { description: 'Nothing.' },
    STOP: { description: 'It is halted.' },
    CONT: { description: 'It goes on, if it was halted.' },
  },
});
registerEnumType(PodStateKind, {
  name: 'PodStateKind',
  description: 'What it is that names a state of a Pod.',
  valuesMap: {
    PHASE: { description: 'The phase of the Pod.' },
    WAITING: { description: 'The reason of a waiting container.' },
    TERMINATED: { description: 'The reason of an ended container.' },
    CONDITION: { description: 'A condition of the Pod.' },
    POD: { description: 'The reason of the Pod.' },
    NODE: { description: 'The state of its node.' },
  },
});
registerEnumType(AnnotationPlace, {
  name: 'AnnotationPlace',
  description: 'What a key is in its object.',
  valuesMap: {
    ANNOTATION: { description: 'An annotation.' },
    LABEL: { description: 'A label.' },
    FINALIZER: { description: 'A finalizer.' },
    TAG: { description: 'A tag of the cloud.' },
    SECRET_KEY: { description: 'A key in the data of a Secret.' },
  },
});
registerEnumType(AnnotationWriter, {
  name: 'AnnotationWriter',
  description: 'Who writes a key.',
  valuesMap: { USER: { description: 'The user.' }, CONTROLLER: { description: 'A controller; users leave it alone.' } },
});
registerEnumType(ConditionStatus, {
  name: 'ConditionStatus',
  description: 'Status of a condition.',
  valuesMap: {
    TRUE: { description: 'It holds.' },
    FALSE: { description: 'It does not hold.' },
    UNKNOWN: { description: 'Nobody has told for a while.' },
  },
});
registerEnumType(TaintEffect, {
  name: 'TaintEffect',
  description: 'What a taint does to Pods that do not tolerate it.',
  valuesMap: {
    NO_SCHEDULE: { description: 'None is scheduled to the node.' },
    PREFER_NO_SCHEDULE: { description: 'They are scheduled elsewhere where possible.' },
    NO_EXECUTE: { description: 'None is scheduled to the node, and those on it are evicted.' },
  },
});
registerEnumType(TaintSetter, {
  name: 'TaintSetter',
  description: 'Who sets a taint.',
  valuesMap: {
    NODE_CONTROLLER: { description: 'The node controller of Kubernetes.' },
    KUBELET: { description: 'The kubelet of the node.' },
    CLOUD_CONTROLLER: { description: 'The controller of the cloud.' },
    NETWORK_PLUGIN: { description: 'The network plugin.' },
    INSTALLER: { description: 'The tool that set the cluster up.' },
    USER: { description: 'A person or their tools.' },
  },
});
