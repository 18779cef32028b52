import { UsageError } from '../../../../cli/frame.ts';

/** Where ARK finds Sluice: a URL, or a Service whose port it looks up by name. */
export type Address = { readonly url: string } | { readonly service: ServiceRef };

export interface ServiceRef {
  readonly name: string;
  readonly namespace?: string;
  readonly port?: string;
  readonly path: string;
}

const SERVICE = /^([a-z0-9-]+)(?:\.([a-z0-9-]+))?(?:\.svc(?:\.cluster\.local)?)?(?::([a-z0-9-]+))?$/;

/** The endpoint of a Service, as `NAME[.NAMESPACE][:PORT]`. ARK looks up named ports only, so a number makes a URL. */
export function serviceAddress(given: string, toolset: string | undefined, ownNamespace?: string): Address {
  const [, name, named, port] = SERVICE.exec(given) ?? [];
  if (name === undefined) throw new UsageError(`--service looks like sluice.default:http, not ${given}`);
  const namespace = named ?? ownNamespace;
  const path = `${pathOf(toolset)}?expose=flat`;
  if (port === undefined || !/^\d+$/.test(port)) {
    return {
      service: { name, ...(namespace !== undefined && { namespace }), ...(port !== undefined && { port }), path },
    };
  }
  if (namespace === undefined) {
    throw new UsageError(`--service needs the namespace with a port number: ${name}.default:${port}`);
  }
  return { url: `http://${name}.${namespace}.svc.cluster.local:${port}/${path}` };
}

/** Lists every tool by itself: ARK makes a Tool of each. */
export function urlAddress(endpoint: string, toolset: string | undefined): Address {
  const url = new URL(endpoint);
  if (toolset !== undefined) url.pathname = `${url.pathname.replace(/\/$/, '')}/${toolset}`;
  if (!url.searchParams.has('expose')) url.searchParams.set('expose', 'flat');
  return { url: url.href };
}

const pathOf = (toolset: string | undefined): string => (toolset === undefined ? 'mcp' : `mcp/${toolset}`);

/** The Host header that ARK will send. */
export function hostOf(address: Address, ownNamespace = 'default'): string {
  if ('url' in address) return new URL(address.url).hostname;
  const { name, namespace = ownNamespace } = address.service;
  return `${name}.${namespace}.svc.cluster.local`;
}
