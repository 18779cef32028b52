import { expect, test } from 'vitest';
import { exposes, isPending, whyChosen } from './plan-words.ts';

const workflow = {
  instance: 'default',
  id: 'a',
  name: 'A',
  chosen: 'tag',
  expose: [],
  leave_out: [],
  generate: false,
};
const plan = { workflows: [], remove: [], writes: [], not_chosen: 0, applied: false };

test('something is pending if n8n has to be written to and nobody agreed, or if something is left over', () => {
  expect(isPending(plan)).toBe(false);
  expect(isPending({ ...plan, workflows: [{ ...workflow, generate: true }] })).toBe(true);
  expect(isPending({ ...plan, applied: true, workflows: [{ ...workflow, generate: true }] })).toBe(false);
  expect(isPending({ ...plan, applied: true, remove: [{ id: 'g', name: '[sluice] g' }] })).toBe(true);
});

test('says what a workflow offers, and why it is chosen', () => {
  expect(exposes({ ...workflow, run: 'run_a', expose: ['a__x'], more: 2 })).toBe('runs as run_a and has 3 AI tools');
  expect(exposes({ ...workflow, expose: ['a__x'] })).toBe('has 1 AI tool');
  expect(exposes(workflow)).toBe('offers nothing');
  expect(whyChosen('tag')).toContain('tag');
  expect(whyChosen('constructor')).toBe('constructor');
});
