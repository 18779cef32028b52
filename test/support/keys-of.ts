/**
 * Makes keys of a gateway that was started with MCP_AUTH_TOKEN.
 *
 *   const { id, key } = await keysOf(gateway.url, token).make({ name: 'admin', scopes: ['admin'] });
 */
export function keysOf(url: string, token: string) {
  const ask = async (path: string, method: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as { id: string; key: string };
  };
  return {
    make: (asked: object) => ask('/api/v1/keys', 'POST', asked),
    revoke: (id: string) => ask(`/api/v1/keys/${id}`, 'DELETE'),
  };
}
