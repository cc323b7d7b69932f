/** The address of a server, without a slash at its end; null if the text is not one. */
export function parseBaseUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  if (url.username !== '' || url.search !== '') return null
  return (url.origin + url.pathname).replace(/\/+$/, '')
}
