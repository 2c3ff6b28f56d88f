/** Made by page/vite-plugin.ts: what runs in chat pages, as texts. */
declare module 'virtual:waymark-page' {
  export const runtime: string;
  export const selectorTest: string;
}
