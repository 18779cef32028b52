import { describe, expect, it } from 'vitest';
import { backupSettings, backupsSection } from '../settings.ts';
import { s3Fills, s3Section } from './settings.ts';

const least = { bucket: 'mine', accessKeyId: 'id', secretAccessKey: 'secret' };
const env = { AWS_ACCESS_KEY_ID: 'env-id', AWS_SECRET_ACCESS_KEY: 'env-secret', AWS_SESSION_TOKEN: 'env-token' };
const filled = (s3: unknown, variables: Record<string, string> = env) =>
  Object.fromEntries(s3Fills({ backups: { s3 } }, variables).map(({ path, value }) => [path?.at(-1), value]));

describe('the section backups.s3', () => {
  it('copies in the background by default', () => {
    expect(s3Section.parse(least)).toEqual({ ...least, mode: 'copy', region: 'us-east-1', prefix: '' });
  });

  it.each([
    ['n8n', 'n8n/'],
    ['/n8n//', 'n8n/'],
    ['a/b/', 'a/b/'],
    ['', ''],
    ['/', ''],
  ])('makes a folder of the prefix %j', (given, prefix) => {
    expect(s3Section.parse({ ...least, prefix: given }).prefix).toBe(prefix);
  });

  it.each([
    { bucket: 'a/b' },
    { bucket: '..' },
    { prefix: '../up' },
    { endpoint: 's3.example.com' },
    { mode: 'both' },
    { region: 'eu west' },
    { encryption: 'rot13' },
    { secretAccessKey: '' },
    { secretAccessKey: 'canary\n' },
    { accessKeyId: 'canary€' },
    { sessionToken: 'canary\ncanary' },
    { endpoint: 'http://10.0.0.5:9000', pathStyle: false },
    { endpoint: 'nowhere', pathStyle: false },
    { keep: 0 },
    { insecure: true },
  ])('refuses %j', (change) => {
    const { success, error } = s3Section.safeParse({ ...least, ...change });
    expect(success).toBe(false);
    expect(error?.message).not.toContain('canary');
  });

  it('has the limits of the disk unless it has its own', () => {
    const limits = (s3: object) =>
      backupSettings(backupsSection.parse({ keep: 5, days: 30, s3: { ...least, ...s3 } }), '/h').s3;
    expect(limits({})).toMatchObject({ keep: 5, days: 30 });
    expect(limits({ keep: 100 })).toMatchObject({ keep: 100, days: undefined });
    expect(limits({ days: 365 })).toMatchObject({ keep: 5, days: 365 });
  });

  it('is refused as the only place beside a directory', () => {
    const s3 = { ...least, mode: 'only' };
    expect(backupsSection.safeParse({ s3 }).success).toBe(true);
    expect(backupsSection.safeParse({ s3, directory: '/b' }).success).toBe(false);
    expect(backupsSection.safeParse({ s3, directory: '/b', layout: 'git' }).success).toBe(true);
  });
});

describe('the variables AWS_*', () => {
  it('switch nothing on', () => {
    expect(s3Fills({}, env)).toEqual([]);
    expect(s3Fills({ backups: { keep: 3 } }, env)).toEqual([]);
  });

  it('complete a section', () => {
    const more = {
      ...env,
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL: 'http://a',
      AWS_ENDPOINT_URL_S3: 'http://b',
    };
    expect(filled({ bucket: 'mine' }, more)).toEqual({
      accessKeyId: 'env-id',
      secretAccessKey: 'env-secret',
      sessionToken: 'env-token',
      region: 'eu-west-1',
      endpoint: 'http://b',
    });
  });

  it.each([{ accessKeyId: 'other' }, { secretAccessKey: 'other' }])('of another key are not mixed with %j', (s3) => {
    expect(filled(s3)).toEqual({});
  });

  it('complete the same key', () => {
    expect(filled({ accessKeyId: 'env-id' })).toMatchObject({ secretAccessKey: 'env-secret' });
    expect(filled({ accessKeyId: 'id' }, { AWS_SECRET_ACCESS_KEY: 's' })).toEqual({ secretAccessKey: 's' });
  });

  it('that name no URL are a problem', () => {
    expect(s3Fills({ backups: { s3: {} } }, { AWS_ENDPOINT_URL: 'nowhere' })).toMatchObject([
      { variable: 'AWS_ENDPOINT_URL', problem: { message: 'is not an http or https URL' } },
    ]);
  });
});
