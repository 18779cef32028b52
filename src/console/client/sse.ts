export interface ServerSent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

/** Reads server-sent events from the pieces of a stream. A comment or a half event is not reported. */
export function createLines(on: (event: ServerSent) => void): (piece: string) => void {
  let rest = '';
  let id: string | undefined;
  let event: string | undefined;
  let data: string[] = [];

  function line(text: string): void {
    if (text === '') {
      if (data.length > 0) on({ id, event, data: data.join('\n') });
      [id, event, data] = [undefined, undefined, []];
      return;
    }
    const at = text.indexOf(':');
    const [field, value] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1).replace(/^ /, '')];
    if (field === 'id') id = value;
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }

  return (piece) => {
    const lines = (rest + piece).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const text of lines) line(text);
  };
}
