/** `pointer('/nodes/0', 'parameters', 'a/b')` is `/nodes/0/parameters/a~1b`. */
export function pointer(base: string, ...names: readonly (string | number)[]): string {
  let path = base;
  for (const name of names) path += `/${typeof name === 'number' ? name : escaped(name)}`;
  return path;
}

export function pointerNames(path: string): string[] {
  return path === ''
    ? []
    : path
        .slice(1)
        .split('/')
        .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function escaped(name: string): string {
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}
