import { z } from 'zod';
import type { Docker } from './connection.ts';
import { listedContainer } from './shapes.ts';

/** The containers that mount a volume, running or not. Those out of reach are counted only. */
export async function usersOf(
  docker: Docker,
  volume: string,
  signal: AbortSignal,
): Promise<{ readonly names: string[]; readonly hidden: number }> {
  const filters = JSON.stringify({ volume: [volume] });
  const found =
    (await docker.ask(z.array(listedContainer).nullish(), '/containers/json', {
      query: { all: true, filters },
      signal,
    })) ?? [];
  const named = found.map(({ Id, Names, Labels }) => ({
    name: Names[0]?.replace(/^\//, '') ?? Id.slice(0, 12),
    labels: Labels,
  }));
  const inReach = named.filter(docker.reach.hasContainer);
  return { names: inReach.map(({ name }) => name).sort(), hidden: named.length - inReach.length };
}
