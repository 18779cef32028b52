import { expect, test } from 'vitest';
import { dockerSettings } from './settings.ts';

const mountsOf = (mounts: string[]) => dockerSettings.safeParse({ mounts });

test('listed folders have one spelling each', () => {
  expect(mountsOf(['/srv/app/', '//data/./x', '/srv/apple']).data?.mounts).toEqual([
    '/srv/app',
    '/data/x',
    '/srv/apple',
  ]);
});

test.each([
  [['/'], 'must not be /'],
  [['//.'], 'must not be /'],
  [['/srv/../etc'], 'without ..'],
  [['srv'], 'absolute path'],
  [['/srv/app/data', '/data', '/srv/app/'], 'must not be inside /srv/app'],
])('%j is refused', (mounts, why) => {
  expect(mountsOf(mounts).error?.issues[0]?.message).toContain(why);
});
