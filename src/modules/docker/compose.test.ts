import { expect, test } from 'vitest';
import { findProject, projectsIn, servicesToStart } from './compose.ts';
import type { Container } from './containers.ts';

const container = (name: string, project?: string, service?: string, depends = ''): Container => ({
  id: name,
  name,
  image: '',
  imageId: '',
  command: '',
  created: 0,
  state: 'running',
  status: '',
  ports: [],
  mounts: [],
  labels: {
    ...(project !== undefined && { 'com.docker.compose.project': project }),
    ...(service !== undefined && { 'com.docker.compose.service': service }),
    ...(depends !== '' && { 'com.docker.compose.depends_on': depends }),
  },
});

const projects = projectsIn([
  container('shop-api-1', 'shop', 'api', 'db:service_healthy:true,cache:service_started:false'),
  container('shop-api-2', 'shop', 'api', 'db:service_healthy:true,cache:service_started:false'),
  container('shop-db-1', 'shop', 'db'),
  container('shop-cache-1', 'shop', 'cache', 'db:service_started:false'),
  container('alone'),
  container('blog-1', 'blog', 'blog'),
]);

test('projects and services come from labels', () => {
  expect(projects.map(({ name }) => name)).toEqual(['blog', 'shop']);
  expect(findProject(projects, 'shop').services.map(({ name, containers }) => [name, containers.length])).toEqual([
    ['api', 2],
    ['cache', 1],
    ['db', 1],
  ]);
});

test('services start after those they depend on', () => {
  const shop = findProject(projects, 'shop');
  expect(servicesToStart(shop, undefined).map(({ name }) => name)).toEqual(['db', 'cache', 'api']);
  expect(servicesToStart(shop, ['api', 'db']).map(({ name }) => name)).toEqual(['db', 'api']);
});

test('a circle of dependencies ends', () => {
  const [circle] = projectsIn([container('a', 'p', 'a', 'b::'), container('b', 'p', 'b', 'a::')]);
  expect(servicesToStart(circle as NonNullable<typeof circle>, undefined)).toHaveLength(2);
});

test('unknown names get near ones', () => {
  expect(() => findProject(projects, 'shpo')).toThrow('shop');
  expect(() => servicesToStart(findProject(projects, 'shop'), ['cach'])).toThrow('cache');
});
