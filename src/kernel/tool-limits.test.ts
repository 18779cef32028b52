import { expect, it } from 'vitest';
import type { Callable } from './callable.ts';
import { localOwner } from './principal.ts';
import { createLimiter } from './rate.ts';
import { toolLimits } from './tool-limits.ts';

const tool = (name: string, entry = {}) => ({ name, source: 'x', entry }) as Callable;

it('counts per caller and tool, by the first matching glob', () => {
  let time = 0;
  let rules: Record<string, string> = { mail__send: '1/min', 'mail__*': '2/min' };
  const limit = toolLimits(() => rules, createLimiter(() => time).exceeded);
  void limit(tool('mail__send'), localOwner);
  expect(() => limit(tool('mail__send'), localOwner)).toThrow('mail__send was called too often. Try again in 60 s.');
  void limit(tool('mail__send'), { ...localOwner, id: 'other' });
  void limit(tool('mail__read'), localOwner);
  void limit(tool('mail__read'), localOwner);
  expect(() => limit(tool('mail__read'), localOwner)).toThrow('Try again in 30 s');
  for (let n = 0; n < 100; n++) void limit(tool('files__read'), localOwner);
  time = 60_000;
  void limit(tool('mail__send'), localOwner);
  rules = {};
  void limit(tool('mail__send'), localOwner);
});

it('a limit on a former name applies to the tool', () => {
  const limit = toolLimits(() => ({ mail_post: '1/min' }), createLimiter().exceeded);
  const renamed = tool('mail_send', { aliases: new Map([['mail_post', (given: unknown) => given]]) });
  void limit(renamed, localOwner);
  expect(() => limit(renamed, localOwner)).toThrow('mail_send was called too often.');
});

it('waits for a count that other replicas take part in', async () => {
  const counted: string[] = [];
  const limit = toolLimits(
    () => ({ mail_post: '1/min' }),
    async (key) => (counted.push(key) > 1 ? 60 : undefined),
  );
  await limit(tool('mail_post'), localOwner);
  await expect(limit(tool('mail_post'), localOwner)).rejects.toThrow('mail_post was called too often. Try again in 60');
  expect(counted).toEqual(Array(2).fill(`tool ${localOwner.id} mail_post`));
});
