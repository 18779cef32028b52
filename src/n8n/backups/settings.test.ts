import { describe, expect, it } from 'vitest';
import { backupPlaces, backupsSection } from './settings.ts';

const placesOf = (given: object) => backupPlaces(backupsSection.parse(given), '/home/s');

describe('the section backups', () => {
  it('keeps ten of each workflow in the data directory unless told', () => {
    expect(placesOf({})).toEqual({ keep: 10, days: undefined, directory: '/home/s/backups', git: undefined });
  });

  it('keeps them elsewhere', () => {
    expect(placesOf({ directory: '/b', keep: '3', days: 90 })).toMatchObject({ directory: '/b', keep: 3, days: 90 });
  });

  it('keeps all of them at home beside the one file for git', () => {
    expect(placesOf({ directory: '/b', layout: 'git' })).toMatchObject({ directory: '/home/s/backups', git: '/b' });
  });

  it.each([{ layout: 'git' }, { keep: 0 }, { days: 0 }, { directory: '' }, { layout: 'svn' }, { kept: 1 }])(
    'does not take %j',
    (given) => {
      expect(backupsSection.safeParse(given).success).toBe(false);
    },
  );
});
