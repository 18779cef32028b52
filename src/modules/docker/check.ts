import { z } from 'zod';
import type { Docker } from './connection.ts';
import { listedContainer } from './shapes.ts';

/** `Docker 27.3.1 (API 1.47), 12 containers, 9 running` */
export async function checkDocker(docker: Docker, signal: AbortSignal): Promise<string> {
  const { name, version, api } = docker.engine;
  const all =
    (await docker.ask(z.array(listedContainer).nullish(), '/containers/json', { query: { all: true }, signal })) ?? [];
  const running = all.filter(({ State }) => State === 'running').length;
  return `${name} ${version} (API ${api}), ${all.length} containers, ${running} running`;
}
