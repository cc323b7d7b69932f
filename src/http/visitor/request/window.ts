/** Whether a browser says that it shows the answer in a window or tab, under its address. */
export function isWindow({ headers }: Request): boolean {
  return headers.get('sec-fetch-dest') === 'document'
}
