import { describe, expect, it, test } from 'vitest';
import { entryPointAnswer, routerAnswer } from './answers.ts';
import { choose, entryPointFor } from './choose.ts';
import { requestOf } from './rules/request.ts';

const router = (name: string, rule: string, more: object = {}) =>
  routerAnswer.parse({ name, rule, provider: 'file', entryPoints: ['web'], service: name, ...more });
const ask = (routers: ReturnType<typeof router>[], url = 'http://x/a') =>
  choose(requestOf({ url }), { routers, entryPoint: 'web', isV2: false });
const winner = (...given: Parameters<typeof ask>) => ask(...given).chain.map(({ router: { name } }) => name);

describe('the router that wins', () => {
  it('has the longest rule', () => {
    expect(winner([router('short', 'Host(`x`)'), router('long', 'Host(`x`) && Path(`/a`)')])).toEqual(['long']);
  });

  it('or the highest priority, also beyond what a number can hold', () => {
    const long = router('long', 'Host(`x`) && Path(`/a`)');
    expect(winner([long, router('set', 'Host(`x`)', { priority: 100 })])).toEqual(['set']);
    expect(
      winner([router('below', 'Host(`x`) && Path(`/a`)', { priority: -1 }), router('short', 'Host(`x`)')]),
    ).toEqual(['short']);
    expect(
      winner([
        router('first', 'Host(`x`)', { priority: 9.223372036854776e18, priorityStr: '9223372036854775806' }),
        router('second', 'Host(`x`)', { priority: 9.223372036854776e18, priorityStr: '9223372036854775807' }),
      ]),
    ).toEqual(['second']);
  });

  it('counts bytes', () => {
    expect(winner([router('a', 'Path(`/é`) || Path(`/a`)'), router('b', 'Path(`/ee`) || Path(`/a`)')])).toHaveLength(1);
    expect(ask([router('a', 'Path(`/é`) || Path(`/a`)'), router('b', 'Path(`/ee`) || Path(`/a`)')]).isTie).toBe(true);
  });

  it('may use the syntax of version 2', () => {
    expect(winner([router('old', 'Host(`y`, `x`)', { ruleSyntax: 'v2' })])).toEqual(['old']);
    expect(winner([router('new', 'Host(`y`, `x`)')])).toEqual([]);
  });

  it('is a child of the one that matched first', () => {
    const parent = router('parent', 'Host(`x`)');
    const child = router('child', 'Path(`/a`)', { parentRefs: ['parent'], entryPoints: [] });
    const other = router('other', 'Path(`/b`)', { parentRefs: ['parent'], entryPoints: [] });
    expect(winner([parent, child, other])).toEqual(['parent', 'child']);
    expect(winner([parent, other])).toEqual([]);
    expect(winner([child])).toEqual([]);
    const loop = router('loop', 'Host(`x`)', { parentRefs: ['loop'] });
    expect(winner([parent, loop])).toEqual(['parent']);
  });
});

describe('the entry point', () => {
  const points = [
    { name: 'web', address: ':80' },
    { name: 'secure', address: '[::]:443' },
    { name: 'quic', address: ':443/udp' },
    { name: 'a', address: '10.0.0.1:8080' },
    { name: 'b', address: '10.0.0.2:8080' },
  ].map((point) => entryPointAnswer.parse(point));
  test.each([
    ['http://x/', undefined, 'web'],
    ['https://x/', undefined, 'secure'],
    ['http://x:8080/', undefined, undefined],
    ['http://x:81/', undefined, undefined],
    ['http://x:81/', 'a', 'a'],
    ['http://x/', 'none', undefined],
  ])('of %s, named %s, is %s', (url, named, expected) => {
    expect(entryPointFor(requestOf({ url }), points, named)?.name).toBe(expected);
  });
});
