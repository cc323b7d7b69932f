import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import {
  type SearchEntry,
  type SearchResult,
  searchDocs,
  splitAtMatches,
} from '../../model/docs-search.ts'
import { escapeHtml, type Html, html } from '../../model/html.ts'
import { formatBytes, formatNumber } from '../../model/numbers.ts'
import { PLANS, type PlanDetails, type Plans } from '../../model/plan.ts'
import { planPlaceholder, SERVER_URL, SESSION_COOKIE } from '../../model/site.ts'
import { loadOnce } from '../../platform/promises.ts'
import type { Assets } from '../kit/assets.ts'
import { sessionCookieName } from '../kit/cookies.ts'
import { compress, type Encoding, preferredEncoding } from '../kit/encodings.ts'
import { buildResponse, documentHeaders, documentResponse } from '../kit/response.ts'

export interface DocsDeps {
  assets: Assets
  baseUrl: string
  plans: Plans
}

const MAX_RESULTS = 50
/** Browsers ask each time whether a page has changed: a new version of the server has new text. */
const REVALIDATED = { 'cache-control': 'no-cache' }
/** Scripts of any site may read what is for programs: it is public and the same for everybody. */
const PUBLIC = { 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' }
const MARKDOWN = { 'content-type': 'text/markdown; charset=utf-8', ...PUBLIC }
const FOR_PROGRAMS: Record<string, Record<string, string>> = {
  '/docs/search.json': { 'content-type': 'application/json', ...PUBLIC, ...REVALIDATED },
  '/openapi.json': { 'content-type': 'application/json;charset=utf-8', ...PUBLIC },
  '/llms.txt': MARKDOWN,
  '/llms-full.txt': MARKDOWN,
  '/skill.md': MARKDOWN,
  // A program to save and to run: no browser runs it as a script.
  '/cli': {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="handbill"',
    'x-content-type-options': 'nosniff',
    ...REVALIDATED,
  },
}

/**
 * The documentation: for people, for programs and for language models, and the command line. The
 * build makes their files; the first request for one puts in what is of this server.
 */
export function docsRoutes({ assets, baseUrl, plans }: DocsDeps): Hono {
  const csp = docsCsp(assets.text('docs.js').trim())
  const pageHeaders = { ...documentHeaders(csp), ...REVALIDATED }
  const values = serverValues(baseUrl, plans)
  const responders = new Map<string, ReturnType<typeof staticText>>()
  const routes = new Hono()

  const textOf = (file: string) => fillIn(assets.text(file), values, escaperOf(file))
  function respond(request: Request, file: string, headers: Record<string, string>) {
    const make = () => staticText(textOf(file), headers)
    return responders.getOrInsertComputed(file, make)(request)
  }
  const search = loadOnce(async () => ({
    entries: JSON.parse(textOf('docs/search.json')) as SearchEntry[],
    template: textOf(SEARCH_TEMPLATE),
  }))

  for (const [path, headers] of Object.entries(FOR_PROGRAMS)) {
    routes.get(path, ({ req }) => respond(req.raw, path.slice(1), headers))
  }
  routes.get('/docs/search', async ({ req }) => {
    const query = req.query('q') ?? ''
    const { entries, template } = await search()
    const parts = { query, results: searchResults(entries, query) }
    const body = template.replace(/\{\{(query|results)\}\}/g, (_, part: keyof typeof parts) =>
      html`${parts[part]}`.toString(),
    )
    return documentResponse(req.raw, { csp, body })
  })
  routes.on('GET', ['/docs', '/docs/*'], ({ req }, next) => {
    if (assets.has(docsFile(req.path))) return respond(req.raw, docsFile(req.path), pageHeaders)
    const path = req.path.replace(/(?<!\/)\/+$/, '')
    if (!assets.has(docsFile(path))) return next()
    return buildResponse(null, { status: 301, headers: { location: path }, body: null })
  })
  return routes
}

export const docsFile = (path: string) => `${path.slice(1)}.html`
/** The page of the search, with `{{query}}` and `{{results}}`. */
export const SEARCH_TEMPLATE = 'docs-search.html'

/** Allows our one script, which loads the index of the search, and the form of the search. */
export function docsCsp(script: string): string {
  const hash = createHash('sha256').update(script).digest('base64')
  return [
    "default-src 'none'",
    "style-src 'self'",
    `script-src 'sha256-${hash}'`,
    "connect-src 'self'",
    "font-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}

function serverValues(baseUrl: string, plans: Plans): Map<string, string> {
  return new Map([
    [SERVER_URL, baseUrl],
    [SESSION_COOKIE, sessionCookieName(baseUrl)],
    ...PLANS.map((plan) => [planPlaceholder(plan), describePlan(plans[plan])] as const),
  ])
}

function describePlan({ name, price, limits }: PlanDetails): string {
  const facts = [
    `${formatBytes(limits.file_bytes)} a page or file`,
    `${formatBytes(limits.deck_bytes)} a deck with up to ${formatNumber(limits.deck_files)} HTML ` +
      `files and ${formatNumber(limits.deck_assets)} assets of ${formatBytes(limits.asset_bytes)}`,
    `${formatBytes(limits.stored_bytes)} for all pages with their versions`,
    `${limits.responses_per_page.toLocaleString('en')} responses a page`,
    `${limits.link_controls ? 'with' : 'without'} expiry, view limit, view-only and approvals`,
  ]
  return `${name}${price === null ? '' : ` (${price})`}: ${facts.join(', ')}`
}

function fillIn(text: string, values: Map<string, string>, write: (value: string) => string) {
  return [...values].reduce(
    (result, [placeholder, value]) => result.replaceAll(placeholder, () => write(value)),
    text,
  )
}

function escaperOf(file: string): (value: string) => string {
  if (file.endsWith('.html')) return escapeHtml
  if (file.endsWith('.json') || file === 'cli') return (value) => JSON.stringify(value).slice(1, -1)
  return (value) => value
}

/** Answers a text that never changes. The first request for an encoding waits until it is made. */
function staticText(text: string, fixedHeaders: Record<string, string>) {
  const bytes = Buffer.from(text)
  const hash = Bun.hash(bytes).toString(36)
  const bodies = new Map<Encoding, Promise<Uint8Array>>()

  const encode = (encoding: Encoding) =>
    bodies.getOrInsertComputed(encoding, () => compress(bytes, encoding))
  return async (request: Request): Promise<Response> => {
    const encoding = preferredEncoding(request.headers.get('accept-encoding'))
    const etag = encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`
    const headers = new Headers({ ...fixedHeaders, etag, vary: 'accept-encoding' })
    if (encoding !== null) headers.set('content-encoding', encoding)
    const body = encoding === null ? bytes : await encode(encoding)
    return buildResponse(request, { headers, body, etag })
  }
}

/** The results of a search, for browsers without scripts and for those who want all results. */
function searchResults(entries: readonly SearchEntry[], query: string): Html {
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
<li><a href="${entry.url}">${markMatches(entry.title, query)}</a>
<span class="where">${entry.page}</span>
<p>${markMatches(excerpt, query)}</p></li>`
}

function markMatches(text: string, query: string): Html {
  return html`${splitAtMatches(text, query).map((part, index) =>
    index % 2 === 1 ? html`<mark>${part}</mark>` : part,
  )}`
}
