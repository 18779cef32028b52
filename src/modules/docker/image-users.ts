import { z } from 'zod';
import type { Docker } from './connection.ts';
import { listedContainer } from './shapes.ts';

/** Which images containers use, by id: running or not, in reach or not. */
export async function imagesInUse(docker: Docker, signal: AbortSignal): Promise<Map<string, string[]>> {
  const all =
    (await docker.ask(z.array(listedContainer).nullish(), '/containers/json', { query: { all: true }, signal })) ?? [];
  const users = Map.groupBy(all, ({ ImageID }) => ImageID.replace(/^sha256:/, ''));
  return new Map(
    [...users].map(([id, containers]) => [
      id,
      containers.map(({ Names, Id }) => Names[0]?.replace(/^\//, '') ?? Id.slice(0, 12)),
    ]),
  );
}

export const usersOfImage = (inUse: Map<string, string[]>, id: string): string[] =>
  inUse.get(id.replace(/^sha256:/, '')) ?? [];
