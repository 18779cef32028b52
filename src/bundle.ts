import { makeBundle } from './console/bundle.ts';
import { pagesOf } from './host/page-file.ts';
import { parts } from './parts.ts';

await makeBundle(pagesOf(parts));
