import {
  type SearchEntry,
  type SearchResult,
  searchDocs,
  splitAtMatches,
} from '../../../../model/docs-search.ts'
import { type Html, html } from '../../../../model/html.ts'

const MAX_RESULTS = 50

/** The results of a search, for browsers without scripts and for those who want all results. */
export function searchResults(entries: readonly SearchEntry[], query: string): Html {
  const results = searchDocs(entries, query, MAX_RESULTS)
  return html`<h1>Search</h1>
<p class="lead">${summaryOf(results.length, query)}</p>
<ol class="results">${results.map((result) => resultItem(result, query))}
</ol>`
}

function summaryOf(count: number, query: string): Html {
  if (query.trim() === '') return html`Type what you look for in the box at the top.`
  if (count === 0) return html`Nothing here contains <strong>${query}</strong>. Try fewer words.`
  const places =
    count === 1 ? '1 place' : `${count === MAX_RESULTS ? 'The best ' : ''}${count} places`
  return html`${places} for <strong>${query}</strong>.`
}

function resultItem({ entry, excerpt }: SearchResult, query: string): Html {
  return html`
<li><a href="${entry.url}">${marked(entry.title, query)}</a>
<span class="where">${entry.page}</span>
<p>${marked(excerpt, query)}</p></li>`
}

function marked(text: string, query: string): Html {
  return html`${splitAtMatches(text, query).map((part, index) =>
    index % 2 === 1 ? html`<mark>${part}</mark>` : part,
  )}`
}
