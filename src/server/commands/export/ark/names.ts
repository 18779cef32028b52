/** The name that ARK gives the Tool object of a tool: lower case, `-` for `_`. */
export const arkName = (server: string, tool: string): string => `${server}-${tool.toLowerCase().replaceAll('_', '-')}`;

const LONGEST_OBJECT = 253;
/** Models take function names of at most this length. */
const LONGEST_FUNCTION = 64;
const OBJECT = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const FUNCTION = /^[a-z0-9-]+$/;

/** ARK writes the name of the MCPServer into a label of each Tool, and begins their names with it. */
export const isServerName = (name: string): boolean => /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(name);

/** What would go wrong in ARK with these tools, and what to do. */
export function nameProblems(server: string, tools: readonly string[]): string[] {
  const named = new Map<string, string[]>();
  for (const tool of tools) {
    const name = arkName(server, tool);
    named.set(name, [...(named.get(name) ?? []), tool]);
  }
  return [...named].flatMap(([name, [first = '', ...others]]) => {
    if (name.length > LONGEST_OBJECT || !OBJECT.test(name)) {
      return `${first}: Kubernetes does not take the name ${name}, and ARK stops at the first such name. Rename the tool in Sluice, or leave it out with a toolset.`;
    }
    if (others.length > 0) {
      return `${[first, ...others].join(' and ')}: ARK calls them all ${name} and keeps only one. Rename them in Sluice.`;
    }
    if (!FUNCTION.test(name)) return `${first}: models do not take the name ${name}. Rename the tool in Sluice.`;
    if (name.length > LONGEST_FUNCTION) {
      return `${first}: models do not take names longer than ${LONGEST_FUNCTION} characters, and ${name} has ${name.length}. Choose a shorter --name.`;
    }
    return [];
  });
}
