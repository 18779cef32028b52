import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { Container } from './containers.ts';

const PROJECT = 'com.docker.compose.project';
const SERVICE = 'com.docker.compose.service';
const DEPENDS = 'com.docker.compose.depends_on';

interface Service {
  readonly name: string;
  readonly containers: readonly Container[];
  /** Services that have to start first. */
  readonly after: readonly string[];
}

interface Project {
  readonly name: string;
  readonly services: readonly Service[];
}

const label = ({ labels }: Container, name: string): string | undefined => new Map(Object.entries(labels)).get(name);

export const projectOf = (container: Container): string | undefined => label(container, PROJECT);
export const serviceOf = (container: Container): string | undefined => label(container, SERVICE);

/** The projects of Docker Compose, by the labels of their containers. */
export function projectsIn(containers: readonly Container[]): Project[] {
  const projects = Map.groupBy(
    containers.filter((one) => projectOf(one) !== undefined),
    (one) => projectOf(one) as string,
  );
  return [...projects]
    .map(([name, all]) => ({ name, services: servicesIn(all) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function servicesIn(containers: readonly Container[]): Service[] {
  return [...Map.groupBy(containers, (one) => serviceOf(one) ?? one.name)]
    .map(([name, all]) => ({ name, containers: all, after: [...new Set(all.flatMap(dependencies))] }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** `db:service_healthy:false,cache:service_started:false` */
const dependencies = (container: Container): string[] =>
  (label(container, DEPENDS) ?? '').split(',').flatMap((one) => one.split(':', 1)[0] || []);

export function findProject(projects: readonly Project[], wanted: string): Project {
  const found = projects.find(({ name }) => name === wanted);
  if (found) return found;
  const near = nearestNames(
    wanted,
    projects.map(({ name }) => name),
  );
  throw new AppError(
    'not_found',
    `There is no Compose project "${shown(wanted)}". ${didYouMean(near, 'docker_list_projects shows them.')}`,
  );
}

/** The services that were asked for, in the order in which they start. */
export function servicesToStart({ name, services }: Project, wanted: readonly string[] | undefined): Service[] {
  const known = services.map((service) => service.name);
  for (const one of wanted ?? [])
    if (!known.includes(one))
      throw new AppError(
        'not_found',
        `The project ${name} has no service "${shown(one)}". ${didYouMean(nearestNames(one, known), `It has ${known.join(', ')}.`)}`,
      );
  const ordered: Service[] = [];
  const begun = new Set<string>();
  function add(service: Service): void {
    if (begun.has(service.name)) return;
    begun.add(service.name);
    for (const before of services) if (service.after.includes(before.name)) add(before);
    ordered.push(service);
  }
  for (const service of services) add(service);
  return wanted ? ordered.filter((service) => wanted.includes(service.name)) : ordered;
}
