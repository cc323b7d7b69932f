/** A part of the documentation that a search can find. */
export interface SearchEntry {
  url: string
  title: string
  /** The title of the page it is on; '' where it is a page. */
  page: string
  text: string
}

export interface SearchResult {
  entry: SearchEntry
  /** The words around the first match, or the start of the text. */
  excerpt: string
}

const EXCERPT_CHARS = 140
const MAX_QUERY_CHARS = 100
const MAX_TERMS = 6

/** Words of questions, which are everywhere in the documentation or nowhere. */
const QUESTION_WORDS = new Set(
  'a are can do does for from how i in is it my not of on or the to what where who why'.split(' '),
)

/** Finds the entries that contain the most words of the query, the best first. */
export function searchDocs(
  entries: readonly SearchEntry[],
  query: string,
  limit: number,
): SearchResult[] {
  const terms = termsOf(query)
  if (terms.length === 0) return []
  const scores = entries.map((entry) => ({ entry, ...scoreOf(entry, terms) }))
  const most = Math.max(1, ...scores.map(({ matches }) => matches))
  return scores
    .filter(({ matches }) => matches === most)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ entry }) => ({ entry, excerpt: excerptOf(entry.text, terms) }))
}

/** Splits a text at the matches of the query: the odd parts match. */
export function splitAtMatches(text: string, query: string): string[] {
  const terms = termsOf(query).map((term) => term.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  if (terms.length === 0) return [text]
  return text.split(new RegExp(`(${terms.sort((a, b) => b.length - a.length).join('|')})`, 'i'))
}

function termsOf(query: string): string[] {
  const all = query
    .slice(0, MAX_QUERY_CHARS)
    .toLowerCase()
    .split(/[\s?!]+/)
  const words = all.filter((word) => word !== '' && !QUESTION_WORDS.has(word))
  return [...new Set(words)].slice(0, MAX_TERMS)
}

/** How many terms are in the entry, and how well they match. */
function scoreOf({ title, page, text }: SearchEntry, terms: string[]) {
  const [inTitle, inPage, inText] = [title, page, text].map((each) => each.toLowerCase())
  const phrase = terms.join(' ')
  const isPage = page === ''
  let matches = 0
  let score = inTitle === phrase || (isPage && inTitle!.startsWith(phrase)) ? 40 : 0
  for (const term of terms) {
    const match =
      matchOf(inTitle!, term) * 8 + matchOf(inPage!, term) * 2 + matchOf(inText!, term) * 2
    if (match > 0) matches++
    score += match
  }
  return { matches, score }
}

/** 3 for a whole word, 2 for the start of one, 1 for any other place, 0 for none. */
function matchOf(text: string, term: string): number {
  let best = 0
  for (let at = text.indexOf(term); at >= 0 && best < 3; at = text.indexOf(term, at + 1)) {
    const startsWord = !isWordCharacter(text[at - 1])
    const endsWord = !isWordCharacter(text[at + term.length])
    best = Math.max(best, startsWord ? (endsWord ? 3 : 2) : 1)
  }
  return best
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character)
}

function excerptOf(text: string, terms: string[]): string {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0)
  const first = Math.max(0, Math.min(...places, text.length) - EXCERPT_CHARS / 3)
  const from = places.length === 0 || first === 0 ? 0 : text.indexOf(' ', first) + 1
  const rest = text.slice(from)
  const short = rest.length <= EXCERPT_CHARS ? rest : rest.slice(0, EXCERPT_CHARS + 1)
  const excerpt = short === rest ? rest : `${short.replace(/\s+\S*$/, '')}…`
  return `${from > 0 ? '…' : ''}${excerpt.trim()}`
}
