/** What can be read off the Dockerfile. test/integration/deploy/image.test.ts runs the image. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { version } from '../../../src/version.ts';

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
const dockerfile = await read('Dockerfile');
const { description, license } = JSON.parse(await read('package.json')) as { description: string; license: string };

test('describes the package as it is', () => {
  expect(dockerfile).toContain(`ARG VERSION=${version}\n`);
  expect(dockerfile).toContain(`image.description="${description}"`);
  expect(dockerfile).toContain(`image.licenses="${license}"`);
});

test('has one base, which can be pinned, and ends as a user with a number', () => {
  expect(dockerfile.match(/^FROM .*/gm)?.map((line) => line.split(' ')[1])).toEqual(Array(4).fill('${BASE}'));
  expect(dockerfile.match(/^USER .*/gm)).toEqual(['USER 1000:1000']);
});

test('takes no secret from an argument, a variable or a file of the context', async () => {
  expect(dockerfile).not.toMatch(/^(ARG|ENV) .*(TOKEN|PASSWORD|SECRET|NPMRC)/im);
  const first = (await read('.dockerignore')).split('\n').find((line) => !line.startsWith('#'));
  // Everything stays out, except what is named: .env and sluice.yaml, too.
  expect(first).toBe('*');
});
