import { h } from '../elements.ts'

/** With the nonce of this document, which its policy asks of styles too. */
export function styleOf(css: string): HTMLStyleElement {
  const style = h('style', {}, css)
  style.nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''
  return style
}
