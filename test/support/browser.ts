/**
 * A headless browser for the sign-in pages: keeps cookies by path, follows redirects, submits forms.
 *
 *   const browser = createBrowser();
 *   const page = await browser.open(authorizationUrl);      // .status .html .url
 *   await browser.submit(page, { password: '…' }, 'login')  // every field the page has, changed by these; do=login
 * A redirect to a host in `elsewhere` is not followed: it becomes `page.url` with status 0.
 */
export interface Page {
  status: number;
  url: string;
  html: string;
  headers: Headers;
}

export function createBrowser(base: string) {
  const cookies = new Map<string, { value: string; path: string }>();

  function remember(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const path = attributes.find((one) => one.toLowerCase().startsWith('path='))?.slice(5) ?? '/';
      if (value === '') cookies.delete(`${name} ${path}`);
      else cookies.set(`${name} ${path}`, { value, path });
    }
  }

  function cookieFor(url: URL): string {
    return [...cookies]
      .filter(([, { path }]) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ');
  }

  async function go(address: string, init: RequestInit = {}): Promise<Page> {
    const url = new URL(address);
    if (url.origin !== new URL(base).origin) return { status: 0, url: address, html: '', headers: new Headers() };
    const headers = new Headers(init.headers);
    headers.set('accept', 'text/html');
    const cookie = cookieFor(url);
    if (cookie !== '') headers.set('cookie', cookie);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    remember(response);
    const location = response.headers.get('location');
    if (location !== null && response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      return go(new URL(location, url).href);
    }
    return { status: response.status, url: url.href, html: await response.text(), headers: response.headers };
  }

  return {
    cookies,
    open: (address: string) => go(address),
    submit(
      page: Page,
      change: Record<string, string | string[]>,
      button: string,
      headers: Record<string, string> = { origin: new URL(base).origin },
    ): Promise<Page> {
      const form = new URLSearchParams();
      for (const [input] of page.html.matchAll(/<input [^>]*>/g)) {
        const name = /name="([^"]*)"/.exec(input)?.[1];
        const ticked = !input.includes('type="checkbox"') || input.includes(' checked');
        if (name !== undefined && ticked && !Object.hasOwn(change, name))
          form.append(name, unescaped(/value="([^"]*)"/.exec(input)?.[1] ?? ''));
      }
      for (const [name, value] of Object.entries(change)) for (const one of [value].flat()) form.append(name, one);
      form.append('do', button);
      const action = unescaped(/<form [^>]*action="([^"]*)"/.exec(page.html)?.[1] ?? '');
      return go(new URL(action, page.url).href, { method: 'POST', headers, body: form });
    },
  };
}

export type Browser = ReturnType<typeof createBrowser>;

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** Signs in if asked, allows everything requested, and returns the URL the browser is sent to: the client's callback. */
export async function approve(browser: Browser, url: string, password: string, scopes?: string[]): Promise<URL> {
  let page = await browser.open(url);
  if (page.html.includes('name="password"')) page = await browser.submit(page, { password }, 'login');
  page = await browser.submit(page, scopes ? { scope: scopes } : {}, 'allow');
  if (page.status !== 0) throw new Error(`Not sent back: ${page.status} ${page.url} ${page.html}`);
  return new URL(page.url);
}
