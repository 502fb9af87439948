import { Field, Int, ObjectType } from '@nestjs/graphql';
import { Provider } from './enums.js';
import {
  AnnotationPlace,
  AnnotationWriter,
  ConditionStatus,
  ExitCodeOrigin,
  PodStateKind,
  SignalAction,
  TaintEffect,
  TaintSetter,
} from './reference-enums.js';

@ObjectType({ description: 'Number of a signal on one architecture.' })
export class SignalNumber {
  @Field(() => String, { description: 'Name of the architecture, such as mips.' })
  architecture!: string;

  @Field(() => Int, { description: 'Number of the signal there.' })
  number!: number;
}

@ObjectType({ description: 'A signal that can end a process.' })
export class Signal {
  @Field(() => String, { description: 'Name such as SIGKILL.' })
  name!: string;

  @Field(() => Int, { description: 'Number on Linux, x86 and Arm.' })
  number!: number;

  @Field(() => [SignalNumber], { description: 'Numbers of other architectures, where they differ.' })
  elsewhere!: SignalNumber[];

  @Field(() => SignalAction, { description: 'What happens to a process that does not handle it.' })
  action!: string;
}

@ObjectType({ description: 'What an exit code of a container means.' })
export class ExitCode {
  @Field(() => Int, { description: 'The code as it was asked for.' })
  given!: number;

  @Field(() => Int, { description: 'The code as it arrives, folded to 0-255.' })
  code!: number;

  @Field(() => String, { nullable: true, description: 'Its name in sysexits.h; null when it has none.' })
  name!: string | undefined;

  @Field(() => ExitCodeOrigin, { description: 'Who gives it.' })
  origin!: string;

  @Field(() => Signal, { nullable: true, description: 'The signal that ended the program, on x86 and Arm; null when it was none.' })
  signal!: Signal | undefined;
}

@ObjectType({ description: 'What kubectl shows as the state of a Pod.' })
export class PodState {
  @Field(() => String, { description: 'The state as kubectl shows it.' })
  name!: string;

  @Field(() => PodStateKind, { description: 'What it is that names the state.' })
  kind!: string;

  @Field(() => [String], { description: 'Other spellings and names.' })
  aliases!: string[];
}

@ObjectType({ description: 'An annotation, or a label, finalizer, tag or key beside them.' })
export class Annotation {
  @Field(() => String, { description: 'Whole key, as written in the object.' })
  key!: string;

  @Field(() => AnnotationPlace, { description: 'What the key is in its object.' })
  on!: string;

  @Field(() => [Provider], { description: 'Where it has this meaning.' })
  providers!: string[];

  @Field(() => [String], { description: 'Kinds of object that carry it.' })
  kinds!: string[];

  @Field(() => AnnotationWriter, { description: 'Who writes it.' })
  writtenBy!: string;

  @Field(() => String, { nullable: true, description: 'An example as it is written in a manifest.' })
  example!: string | undefined;
}

@ObjectType({ description: 'A condition of a node that is a fault.' })
export class NodeCondition {
  @Field(() => String, { description: 'Type such as MemoryPressure.' })
  type!: string;

  @Field(() => ConditionStatus, { description: 'The status that is the fault.' })
  status!: string;

  @Field(() => String, { nullable: true, description: 'Key of the taint that the cluster sets for it.' })
  taint!: string | undefined;
}

@ObjectType({ description: 'A taint that keeps Pods off a node.' })
export class NodeTaint {
  @Field(() => String, { description: 'Key such as node.kubernetes.io/not-ready.' })
  key!: string;

  @Field(() => [TaintEffect], { description: 'What it does to Pods that do not tolerate it.' })
  effects!: string[];

  @Field(() => TaintSetter, { description: 'Who sets it.' })
  setBy!: string;
}

@ObjectType({ description: 'A rule about which Service or Ingress gets a load balancer.' })
export class LoadBalancerRule {
  @Field(() => String, { description: 'Name of the rule.' })
  id!: string;

  @Field(() => Provider, { description: 'Where it holds.' })
  provider!: string;

  @Field(() => String, { description: 'Kind of object that it is about: Service or Ingress.' })
  kind!: string;

  @Field(() => Boolean, { description: 'True if the provider makes a load balancer of its own for the object.' })
  creates!: boolean;

  @Field(() => [String], { description: 'Keys that it turns on, or that are written.' })
  annotations!: string[];
}
