/** A model on a hub like Hugging Face's. */
export interface HubModel {
  readonly name: string;
  readonly repository: string;
  /** A commit, so that everybody gets the same files. */
  readonly revision: string;
  readonly files: readonly HubFile[];
}

export interface HubFile {
  readonly path: string;
  readonly bytes?: number;
  readonly sha256?: string;
}

export const HUB = 'https://huggingface.co';

/** all-MiniLM-L6-v2 in the layout of transformers.js, quantised: 384 dimensions, Apache-2.0. */
export const minilm: HubModel = {
  name: 'all-MiniLM-L6-v2',
  repository: 'Xenova/all-MiniLM-L6-v2',
  revision: '751bff37182d3f1213fa05d7196b954e230abad9',
  files: [
    { path: 'config.json', sha256: '7135149f7cffa1a573466c6e4d8423ed73b62fd2332c575bf738a0d033f70df7' },
    { path: 'tokenizer_config.json', sha256: '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3' },
    {
      path: 'tokenizer.json',
      bytes: 711_661,
      sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
    },
    {
      path: 'onnx/model_quantized.onnx',
      bytes: 22_972_370,
      sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
    },
  ],
};

/** Where the hub, or a mirror with the same layout, has a file. */
export const hubUrl = (from: string, { repository, revision }: HubModel, path: string): string =>
  `${from.replace(/\/+$/, '')}/${repository}/resolve/${revision}/${path}`;
