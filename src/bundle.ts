import { makeBundle } from './console/bundle.ts';
import { pagesOf } from './host/page-file.ts';
import { parts } from './parts.ts';

if (!(await makeBundle(pagesOf(parts))))
  console.log('The console is not bundled, because development dependencies are not installed. Everything else works.');
