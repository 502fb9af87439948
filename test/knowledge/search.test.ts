import { beforeAll, describe, expect, it } from 'vitest';
import type { Knowledge } from '../../src/knowledge/problem.js';
import { searchProblems } from '../../src/api/search-problems.js';
import { bundledKnowledge } from '../support/bundled-knowledge.js';

/** What people search for, the problem they mean, and among the first how many it has to be. */
const WANTED: readonly [query: string, id: string, among: number][] = [
  ['E4011', 'tke/ingress/E4011', 2],
  ['E4011', 'tke/service/E4011', 2],
  ['e4009', 'tke/ingress/E4009', 2],
  ['E4011 Service', 'tke/service/E4011', 1],
  ['kubernetes/image/not-found', 'kubernetes/image/not-found', 1],
  // Chinese, with and without blanks
  ['磁盘满', 'kubernetes/node/disk-full', 1],
  ['节点磁盘已写满', 'kubernetes/node/disk-full', 1],
  ['证书过期', 'kubernetes/node/certificate-expired', 1],
  ['证书过期', 'kubernetes/api-server/certificate-expired', 3],
  ['证书 过期 webhook', 'kubernetes/admission/webhook-certificate-expired', 1],
  ['镜像拉取失败', 'kubernetes/image/pull-failed', 1],
  ['拉取镜像失败', 'kubernetes/image/pull-failed', 1],
  ['内存不足', 'kubernetes/node/memory-pressure', 3],
  ['节点未就绪', 'kubernetes/node/not-ready', 1],
  ['跨节点 不通', 'kubernetes/network/pods-cross-node-unreachable', 1],
  ['子网IP不足', 'tke/ingress/E4025', 3],
  ['dns 解析超时', 'kubernetes/dns/lookup-timeout', 3],
  ['回环', 'tke/service/loopback', 1],
  ['欠费', 'ack/service/account-arrears', 3],
  ['时钟', 'kubernetes/node/clock-skew', 1],
  // error texts
  ['no space left on device', 'kubernetes/node/disk-full', 1],
  ['NO SPACE LEFT ON DEVICE', 'kubernetes/node/disk-full', 1],
  ['Back-off restarting failed container', 'kubernetes/container/crash-loop', 1],
  ['Readiness probe failed: connection refused', 'kubernetes/probe/connection-refused', 1],
  ['unauthorized: authentication required', 'kubernetes/image/access-denied', 1],
  ['Failed to pull image "nginx:latst": rpc error: code = NotFound desc = failed to pull and unpack image', 'kubernetes/image/not-found', 1],
  ['0/5 nodes are available: 5 Insufficient cpu.', 'kubernetes/scheduling/insufficient-cpu', 3],
  ['Multi-Attach error for volume', 'kubernetes/volume/multi-attach', 1],
  ['toomanyrequests: You have reached your pull rate limit', 'kubernetes/image/rate-limited', 1],
  // annotations, keys, states, commands
  ['service.kubernetes.io/tke-existed-lbid', 'tke/service/E4012', 3],
  ['tke-existed-lbid', 'tke/service/E4011', 3],
  ['qcloud_cert_id', 'tke/ingress/E4011', 1],
  ['node.kubernetes.io/disk-pressure', 'kubernetes/node/disk-pressure', 2],
  ['kubectl top', 'kubernetes/node/high-load', 1],
  ['kubectl top', 'kubernetes/container/oom-killed', 3],
  ['docker login', 'kubernetes/image/access-denied', 1],
  ['ImagePullBackOff', 'kubernetes/image/pull-failed', 1],
  ['IMAGEPULLBACKOFF', 'kubernetes/image/pull-failed', 1],
  ['image pull backoff', 'kubernetes/image/pull-failed', 1],
  ['crashloopbackoff', 'kubernetes/container/crash-loop', 1],
  ['ContainerGCFailed', 'kubernetes/node/container-gc-failed', 1],
  ['exit code 137', 'kubernetes/container/oom-killed', 3],
  // words, their other forms, and one letter wrong
  ['out of memory', 'kubernetes/container/oom-killed', 3],
  ['OOM', 'kubernetes/container/oom-killed', 1],
  ['pod stuck terminating', 'kubernetes/container/stuck-terminating', 1],
  ['certificates expire', 'kubernetes/node/certificate-expired', 3],
  ['certficate expired', 'kubernetes/node/certificate-expired', 3],
  ['conntrack', 'kubernetes/node/conntrack-full', 1],
  ['service without endpoints', 'kubernetes/network/service-no-endpoints', 3],
  ['xtables lock', 'kubernetes/kube-proxy/xtables-no-wait', 3],
];

describe('search of the bundled problems', () => {
  let knowledge: Knowledge;
  const found = (search: string): string[] => searchProblems(knowledge, { search }).map(({ problem }) => problem.id);

  beforeAll(async () => {
    knowledge = (await bundledKnowledge()).knowledge;
  });

  it.each(WANTED)('%s finds %s among the first %i', (query, id, among) => {
    expect(found(query).slice(0, among)).toContain(id);
  });

  it('finds every problem by its id and by each title, whatever the letter case', () => {
    for (const { id, title } of knowledge.problems) {
      expect(found(id.toUpperCase())[0]).toBe(id);
      for (const text of [title.en.toUpperCase(), title.zh]) expect(found(text.slice(0, 200)).slice(0, 3), text).toContain(id);
    }
  });

  it('finds nothing for words that nobody wrote', () => {
    for (const query of ['zzqx', '甪甪', '!!!', 'E9999', 'blockchain wallet']) expect(found(query), query).toEqual([]);
  });

  it('gives the same order every time', () => {
    expect(found('node')).toEqual(found('node'));
    const ranks = searchProblems(knowledge, { search: '节点' }).map(({ rank }) => rank);
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  });
});
