import { expect, test } from 'vitest';
import { stateWords, summaryOf } from './shapes.ts';

const redis = { name: 'redis', type: 'redis', state: 'ready' };
const docker = { name: 'docker', type: 'docker', state: 'failing' };
const vault = { name: 'vault', type: 'vault', state: 'not configured', needs: { lines: '', variables: [] } };

test('says how all services are', () => {
  expect(summaryOf([vault])).toBe('No service of your stack is configured yet.');
  expect(summaryOf([redis, vault])).toBe('One service is configured.');
  expect(summaryOf([redis, docker, vault])).toBe('2 services are configured. 1 of them cannot be reached.');
  expect(summaryOf([docker, docker])).toBe('2 services are configured. None of them can be reached.');
  expect(summaryOf([docker])).toBe('One service is configured. It cannot be reached.');
});

test('calls states what people call them', () => {
  expect([redis, docker, vault].map(stateWords)).toEqual(['reachable', 'not reachable', 'not configured']);
  expect(stateWords({ ...docker, server: true })).toBe('failing');
});
