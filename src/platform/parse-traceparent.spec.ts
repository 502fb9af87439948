import { describe, expect, it } from 'vitest';
import { parseTraceparent } from './parse-traceparent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('parseTraceparent', () => {
  it('reads the trace, the span and whether it is kept', () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true });
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-00`, 'vendor=1')).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      sampled: false,
      state: 'vendor=1',
    });
  });

  it('reads later versions as the part that it knows', () => {
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-03-more`)).toMatchObject({ traceId: TRACE, sampled: true });
  });

  it.each([
    ['nothing', undefined],
    ['several headers', [`00-${TRACE}-${SPAN}-01`]],
    ['another form', 'abc'],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['no trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['no span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['the version that is none', `ff-${TRACE}-${SPAN}-01`],
    ['something behind version 0', `00-${TRACE}-${SPAN}-01-more`],
  ])('takes %s for no trace', (_, header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it('drops a state that is too long', () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`, 'x'.repeat(600))).not.toHaveProperty('state');
  });
});
