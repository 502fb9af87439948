import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { problemsOfGuide } from '../../src/knowledge/check-guide.js';
import { findAnnotation, findExitCode, findPodState } from '../../src/knowledge/find-in-reference.js';
import { foldExitCode } from '../../src/matching/extract-exit-codes.js';
import { bundledKnowledge } from '../support/bundled-knowledge.js';

/** A guide that has to exist, the problems it is about, and the words that a complete one mentions. */
interface GuideFacts {
  id: string;
  problems: string[];
  must: string[];
}

const facts = readFileSync(new URL('guide-facts.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as GuideFacts);

const { knowledge } = await bundledKnowledge();
const { guides, guideById, guidesByProblem, reference } = knowledge;

/** Every text below a value, as it is written. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Texts of one language below a value. */
function textsIn(language: 'en' | 'zh', value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => (key === language && typeof inner === 'string' ? [inner] : textsIn(language, inner)));
}

/** States that a list of Pods shows, with the spelling that some lists have. */
const podStates = `
  Error NodeLost Unknown Unkown Waiting Pending ContainerCreating Terminating CrashLoopBackOff
  InvalidImageName ImageInspectError ErrImageNeverPull ImagePullBackOff RegistryUnavailable ErrImagePull CreateContainerConfigError CreateContainerError
  RunContainerError PreStartHookError PostStartHookError ContainersNotInitialized ContainersNotReady PodInitializing DockerDaemonNotReady NetworkPluginNotReady`.trim().split(/\s+/);

describe('the bundled guides', () => {
  it('are exactly those of the list', () => {
    expect(guides.map(({ id }) => id)).toEqual(facts.map(({ id }) => id).toSorted());
  });

  it.each(facts)('$id is about its problems and mentions every fact', ({ id, problems, must }) => {
    const guide = guideById.get(id);
    const text = textsOf(guide).join('\n');
    expect(problems.filter((problem) => !guide?.problems.includes(problem))).toEqual([]);
    expect(must.filter((token) => !text.includes(token))).toEqual([]);
  });

  it('are linked from every problem that they are about or lead to', () => {
    const missing = guides.flatMap((guide) => problemsOfGuide(guide).filter((id) => !guidesByProblem.get(id)?.includes(guide)));
    expect(missing).toEqual([]);
    expect([...guidesByProblem.keys()].filter((id) => !knowledge.byId.has(id))).toEqual([]);
  });

  it('are walks: each has a choice to make, and ends somewhere', () => {
    const flat = guides.filter(({ steps }) => steps.every(({ outcomes }) => outcomes.length < 2));
    expect(flat.map(({ id }) => id)).toEqual([]);
    const endless = guides.filter(({ steps }) => steps.every(({ outcomes }) => outcomes.every(({ lead }) => lead && 'step' in lead)));
    expect(endless.map(({ id }) => id)).toEqual([]);
  });

  it('are written in both languages', () => {
    const han = /\p{Script=Han}/u;
    for (const { id, title, symptom, versions, steps } of guides) {
      // what is seen may be a literal error text, the same in both
      const said = steps.map(({ outcomes, ...step }) => ({ ...step, outcomes: outcomes.map(({ means, remedy }) => ({ means, remedy })) }));
      expect([id, textsIn('zh', { title, symptom, versions, said }).filter((text) => !han.test(text))]).toEqual([id, []]);
      const english = textsIn('en', { title, symptom, versions, steps });
      expect([id, english.filter((text) => han.test(text))]).toEqual([id, []]);
    }
  });
});

describe('the bundled reference tables', () => {
  it('explain every exit code from 0 to 255, and those outside by folding', () => {
    const unexplained = Array.from({ length: 256 }, (_, code) => code).filter((code) => !findExitCode(reference.exitCodes, code));
    expect(unexplained).toEqual([]);
    for (const { given, code } of reference.exitCodes.folding?.examples ?? []) expect([given, foldExitCode(given)]).toEqual([given, code]);
    expect(findExitCode(reference.exitCodes, foldExitCode(-1))).toMatchObject({ code: 255 });
    expect(findExitCode(reference.exitCodes, 137)).toMatchObject({ signal: 'SIGKILL' });
    expect(findExitCode(reference.exitCodes, 64)).toMatchObject({ name: 'EX_USAGE' });
    expect(findExitCode(reference.exitCodes, 250)).toMatchObject({ from: 193, to: 254 });
  });

  it.each(podStates)('know the Pod state %s and where to go from it', (name) => {
    const state = findPodState(reference.podStates, name);
    expect(state?.problems).not.toEqual([]);
    expect(state?.guides).not.toEqual([]);
  });

  it('know every annotation and label that a text names', () => {
    const known = /(?<![\w./$-])((?:service|ingress)\.(?:cloud\.tencent\.com|kubernetes\.io|beta\.kubernetes\.io)|(?:tke\.)?cloud\.tencent\.com|kubernetes\.io)\/([A-Za-z][\w.-]*\w)/g;
    // label domains that name nodes and types, not settings
    const others = /^kubernetes\.io\/(csi|nfs|rbd|tls|dockerconfigjson|dockercfg|role|aws-ebs|gce-pd|azure-disk|docs|zh|no-provisioner|kube-apiserver-client-kubelet|glusterfs|cephfs|.*~.*)/;
    const texts = [...knowledge.problems, ...guides].flatMap((entry) => textsOf({ ...entry, references: [] }));
    const named = new Set(texts.flatMap((text) => [...text.matchAll(known)].map(([key]) => key)));
    expect([...named].filter((key) => !findAnnotation(reference.annotations, key) && !others.test(key)).toSorted()).toEqual([]);
  });

  it('tie each condition of a node to its taint', () => {
    const pairs = reference.nodeConditions.conditions.map(({ type, status, taint }) => `${type}=${status} ${taint}`);
    expect(pairs).toEqual([
      'Ready=False node.kubernetes.io/not-ready',
      'Ready=Unknown node.kubernetes.io/unreachable',
      'MemoryPressure=True node.kubernetes.io/memory-pressure',
      'PIDPressure=True node.kubernetes.io/pid-pressure',
      'DiskPressure=True node.kubernetes.io/disk-pressure',
      'NetworkUnavailable=True node.kubernetes.io/network-unavailable',
      'OutOfDisk=True node.kubernetes.io/out-of-disk',
    ]);
  });

  it('say for each provider which Service and Ingress gets a load balancer', () => {
    const covered = new Set(reference.loadBalancerRules.map(({ provider, kind }) => `${provider} ${kind}`));
    expect([...covered].toSorted()).toEqual(['ack Service', 'kubernetes Service', 'tke Ingress', 'tke Service', 'tke-serverless Ingress', 'tke-serverless Service']);
  });
});
