/** Whether a text can be the name of a page in its address. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{2,62}$/.test(text)
}
