import { expect, test } from 'vitest';
import { stateWords, summaryOf } from './shapes.ts';

const redis = { name: 'redis', type: 'redis', state: 'ready' };
const docker = { name: 'docker', type: 'docker', state: 'failing' };
const vault = { name: 'vault', type: 'vault', state: 'not configured', needs: { lines: '', variables: [] } };

test('says how all services are', () => {
  expect(summaryOf([vault])).toBe('No service of your stack is connected yet.');
  expect(summaryOf([redis, vault])).toBe('One service is connected.');
  expect(summaryOf([redis, docker, vault])).toBe('2 services are connected, 1 of them cannot be reached.');
  expect(summaryOf([docker])).toBe('One service is connected, and cannot be reached.');
});

test('calls states what people call them', () => {
  expect([redis, docker, vault].map(stateWords)).toEqual(['reachable', 'not reachable', 'not configured']);
  expect(stateWords({ ...docker, server: true })).toBe('failing');
});
