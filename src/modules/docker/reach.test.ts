import { expect, test } from 'vitest';
import { reachOf } from './reach.ts';

const container = (name: string, labels: Record<string, string> = {}) => ({ name, labels });

test('containers are allowed by name or by label', () => {
  const { hasContainer } = reachOf({ containers: ['web-*', 'label:tier=front*', 'label:managed'] }, 'docker');
  expect(hasContainer(container('web-1'))).toBe(true);
  expect(hasContainer(container('db'))).toBe(false);
  expect(hasContainer(container('db', { tier: 'frontend' }))).toBe(true);
  expect(hasContainer(container('db', { tier: 'back' }))).toBe(false);
  expect(hasContainer(container('db', { managed: '' }))).toBe(true);
  expect(hasContainer(container('label:managed'))).toBe(false);
});

test('labels alone allow no names', () => {
  const { hasContainer } = reachOf({ containers: ['label:constructor=x'] }, 'docker');
  expect(hasContainer(container('anything'))).toBe(false);
});

test('without lists all is in reach, and what is risky is not listed', () => {
  const reach = reachOf({}, 'docker');
  expect(reach.hasContainer(container('x'))).toBe(true);
  expect(reach.lists).toEqual({ images: false, networks: false, volumes: false });
  expect(reach.mounts).toEqual([]);
});
