/** Loads the web fonts into a document of ours, after the page: fonts of the system stand in. */
export function loadWebFonts(url: string): void {
  if (document.querySelector(`link[href="${url}"]`) !== null) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = url
  // The policy of the document asks for its nonce.
  link.nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''
  document.head.append(link)
}
