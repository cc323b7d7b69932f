/** With the nonce of this document, which its policy asks of styles too. */
export function styleOf(css: string): HTMLStyleElement {
  const style = document.createElement('style')
  style.nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''
  style.textContent = css
  return style
}
