/** How a server is reached. */
export type Transport =
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | { kind: 'http' | 'sse'; url: string; headers: Record<string, string> };
