import { describe, expect, it } from 'vitest';
import { SearchIndex } from './search-index.js';

const index = new SearchIndex(
  [
    { item: 'full', names: ['disk-full'], title: 'Disk is full\n磁盘已写满', text: 'A write failed: no space left on device' },
    { item: 'slow', names: ['disk-slow', 'S1'], title: 'Disk is slow\n磁盘慢', text: 'The disk answers late; a full disk does, too' },
    {
      item: 'pull',
      names: ['ImagePullBackOff'],
      title: 'Image cannot be pulled\n拉取镜像失败',
      text: 'service.kubernetes.io/some-key names it',
    },
  ].map(({ item, names, title, text }) => ({
    item,
    names,
    fields: [
      { text: names.join(' '), weight: 10 },
      { text: title, weight: 5 },
      { text, weight: 1 },
    ],
  })),
);
const found = (query: string): string[] => index.search(query).map(({ item }) => item);

describe('SearchIndex', () => {
  it('puts what stands in a heavier field first', () => {
    expect(found('full')).toEqual(['full', 'slow']);
    expect(found('DISK')).toEqual(expect.arrayContaining(['full', 'slow']));
  });

  it('puts an exact name before everything', () => {
    expect(index.search('s1')).toEqual([{ item: 'slow', score: 1000 }]);
  });

  it('needs every one of up to three words, and most of more; stop words do not count', () => {
    expect(found('full image')).toEqual([]);
    expect(found('the disk is full')[0]).toBe('full');
    expect(found('write failed space device elsewhere')).toEqual(['full']);
    expect(found('of the')).toEqual([]);
  });

  it('finds Chinese without blanks, in another order, and single characters', () => {
    expect(found('磁盘写满')).toEqual(['full']);
    expect(found('镜像拉取失败')).toEqual(['pull']);
    expect(found('慢')).toEqual(['slow']);
    expect(found('镜像写满')).toEqual([]);
  });

  it('finds beginnings, other endings, parts of names, and words with one letter wrong', () => {
    for (const query of ['imag', 'pulling images', 'imagepullbackoff', 'some-key', 'service.kubernetes.io/some-key', 'cannto'])
      expect(found(query), query).toEqual(['pull']);
  });

  it('stands long and hostile queries', () => {
    for (const query of ['', '  ', '.*', '\u0000', 'a'.repeat(10_000), '盘'.repeat(10_000), 'x '.repeat(10_000)])
      expect(found(query)).toEqual(query.startsWith('盘') ? expect.any(Array) : []);
  });
});
