import { expect, test } from 'vitest';
import { driver } from './driver.ts';

test('a package that is not installed is named, with the command that installs it', async () => {
  // The name is computed, so that nobody looks for the package before the test runs.
  const absent = ['sluice', 'absent', 'driver'].join('-');
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(driver(absent, () => Promise.reject(missing))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('Run `npm install sluice-absent-driver`') as string,
  });
});

test('an error inside of a driver is not hidden', async () => {
  await expect(driver('broken', () => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
});
