import { describe, expect, it } from 'vitest';
import { backupSettings, backupsSection } from './settings.ts';

const placesOf = (given: object) => backupSettings(backupsSection.parse(given), '/home/s');

describe('the section backups', () => {
  it('keeps ten of each workflow in the data directory by default', () => {
    expect(placesOf({})).toEqual({ keep: 10, maxBytes: 10 * 1024 ** 3, directory: '/home/s/backups' });
  });

  it('can keep them elsewhere', () => {
    expect(placesOf({ directory: '/b', keep: '3', days: 90 })).toMatchObject({ directory: '/b', keep: 3, days: 90 });
  });

  it('with the git layout still keeps all of them in the data directory', () => {
    expect(placesOf({ directory: '/b', layout: 'git' })).toMatchObject({ directory: '/home/s/backups', git: '/b' });
  });

  it.each([
    { layout: 'git' },
    { keep: 0 },
    { days: 0 },
    { maxSize: 0 },
    { directory: '' },
    { layout: 'svn' },
    { kept: 1 },
  ])('refuses %j', (given) => {
    expect(backupsSection.safeParse(given).success).toBe(false);
  });
});
