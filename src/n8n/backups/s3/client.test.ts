import { expect, test } from 'vitest';
import { rootOf, urlOf } from './client.ts';

const aws = { region: 'eu-central-1', bucket: 'mine' };
const own = { ...aws, endpoint: 'https://minio.example.com:9000/s3/' };

test.each([
  [aws, 'https://mine.s3.eu-central-1.amazonaws.com/'],
  [{ ...aws, bucket: 'my.own' }, 'https://s3.eu-central-1.amazonaws.com/my.own'],
  [{ ...aws, bucket: 'My_Old' }, 'https://s3.eu-central-1.amazonaws.com/My_Old'],
  [{ ...aws, region: 'cn-north-1' }, 'https://mine.s3.cn-north-1.amazonaws.com.cn/'],
  [{ ...aws, pathStyle: true }, 'https://s3.eu-central-1.amazonaws.com/mine'],
  [{ ...aws, endpoint: 'https://s3.cn-north-1.amazonaws.com.cn' }, 'https://mine.s3.cn-north-1.amazonaws.com.cn/'],
  [own, 'https://minio.example.com:9000/s3/mine'],
  [{ ...own, pathStyle: false }, 'https://mine.minio.example.com:9000/s3'],
  [{ ...aws, endpoint: 'http://user:pass@127.0.0.1:9000/?x=1' }, 'http://127.0.0.1:9000/mine'],
])('the URL of the bucket of %j', (settings, url) => {
  expect(rootOf(settings).href).toBe(url);
  expect(urlOf(rootOf(settings), undefined).href).toBe(url);
});

test.each([
  ['a/b.json', '/a/b.json'],
  ["a b/ü%20~!'()*@+.json", '/a%20b/%C3%BC%2520~%21%27%28%29%2A%40%2B.json'],
  ['%2E%2E/x', '/%252E%252E/x'],
])('the path of %s', (key, path) => {
  expect(urlOf(rootOf(aws), key).href).toBe(`https://mine.s3.eu-central-1.amazonaws.com${path}`);
  expect(urlOf(rootOf(own), key).href).toBe(`https://minio.example.com:9000/s3/mine${path}`);
});
