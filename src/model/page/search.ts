/** Ignores case, accents and compatible forms such as full-width letters. */
function fold(text: string): string {
  return text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The searchable text of a page, which is stored with it: its title and its slug. */
export function searchTextOf({ title, slug }: { title: string | null; slug: string }): string {
  return `${fold(title ?? '')}\n${slug}`
}

/** The words of a search in the form of `searchTextOf`. A page matches if it has all of them. */
export function searchWordsIn(text: string): string[] {
  return [...new Set(fold(text).split(/\s+/u))].filter((word) => word !== '')
}
