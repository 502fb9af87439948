import { inWords } from './in-words.js';

/** A sentence in each language that Casebook speaks. */
export interface InBoth {
  en: string;
  zh: string;
}

/** What a judgement of a cluster is said with, in one language. Lengths are in milliseconds. */
export interface JudgementWords {
  suspended: string;
  neverSent: string;
  watchNeverWorked: (fault: string) => string;
  noEventYet: string;
  noEventFor: (length: number) => string;
  watchBroken: (fault: string) => string;
  cameAgo: (length: number) => string;
  nothingHappens: (since: string) => string;
  didNotListen: (since: string) => string;
  because: (since: string, why: string | null) => string;
  notTold: string;
  setTo: (length: number) => string;
  watchMayBeDown: (length: number) => string;
  neverPauses: string;
  usualPause: (length: number) => string;
  allowed: (usual: string, length: number) => string;
  /** What is wrong with a watch, to be appended. */
  fault: (state: string, error: string | null) => string;
}

const unended = (text: string): string => text.replace(/[.\s]+$/, '');

const EN: JudgementWords = {
  suspended: 'The cluster is suspended: nothing is taken from it.',
  neverSent: 'It has never sent an event.',
  watchNeverWorked: (fault) => `The watch over it has never worked${fault}.`,
  noEventYet: 'No event has come yet',
  noEventFor: (length) => `No event has come for ${inWords(length)}`,
  watchBroken: (fault) => `, and the watch over it does not work${fault}`,
  cameAgo: (length) => `An event came ${inWords(length)} ago.`,
  nothingHappens: (since) => `${since}, and the watch over it works: nothing happens there.`,
  didNotListen: (since) => `${since}; Casebook itself did not listen all that time.`,
  because: (since, why) => `${since}${why === null ? '' : `; ${why}`}.`,
  notTold: 'whether that is usual cannot be told yet',
  setTo: (length) => `it is set to be silent after ${inWords(length)}`,
  watchMayBeDown: (length) => `a watch may be down for ${inWords(length)}`,
  neverPauses: 'it does not usually pause for a minute',
  usualPause: (length) => `its usual longest pause is ${inWords(length)}`,
  allowed: (usual, length) => `${usual}, so ${inWords(length)} are allowed`,
  fault: (state, error) => (error === null ? ` (${state})` : `: ${unended(error)}`),
};

const zh = (length: number): string => inWords(length, 'zh');

const ZH: JudgementWords = {
  suspended: '集群已暂停：不接收它的任何数据。',
  neverSent: '它从未发送过事件。',
  watchNeverWorked: (fault) => `对它的监听从未成功${fault}。`,
  noEventYet: '尚未收到任何事件',
  noEventFor: (length) => `已有 ${zh(length)}没有收到事件`,
  watchBroken: (fault) => `，且对它的监听不可用${fault}`,
  cameAgo: (length) => `${zh(length)}前收到过事件。`,
  nothingHappens: (since) => `${since}，而对它的监听正常：那里没有发生任何事。`,
  didNotListen: (since) => `${since}；其间 Casebook 自身并非一直在接收。`,
  because: (since, why) => `${since}${why === null ? '' : `；${why}`}。`,
  notTold: '目前还无法判断这是否正常',
  setTo: (length) => `按设置，超过 ${zh(length)}即视为静默`,
  watchMayBeDown: (length) => `监听最多可中断 ${zh(length)}`,
  neverPauses: '它通常不会停顿一分钟',
  usualPause: (length) => `它通常的最长停顿为 ${zh(length)}`,
  allowed: (usual, length) => `${usual}，因此允许 ${zh(length)}`,
  fault: (state, error) => (error === null ? `（${state}）` : `：${unended(error)}`),
};

/** Says something in each language. */
export function inBoth(say: (words: JudgementWords) => string): InBoth {
  return { en: say(EN), zh: say(ZH) };
}
