/** Calls tools over REST, as a script does. Confirms what has to be confirmed. */
export function toolsOver(url: string, headers: Readonly<Record<string, string>> = {}) {
  async function call<T = unknown>(name: string, args: object, confirm?: string): Promise<T> {
    const response = await fetch(`${url}/api/v1/mcp/invoke`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name, arguments: args, ...(confirm !== undefined && { confirm }) }),
    });
    const answer = (await response.json()) as {
      result?: { isError?: boolean; structuredContent?: T; _meta?: { 'sluice/error'?: { confirm?: string } } };
    };
    if (answer.result && answer.result.isError !== true) return answer.result.structuredContent as T;
    const asked = answer.result?._meta?.['sluice/error']?.confirm;
    if (asked !== undefined && confirm === undefined) return call<T>(name, args, asked);
    throw new Error(`${name} failed: ${JSON.stringify(answer).slice(0, 1000)}`);
  }
  return call;
}
