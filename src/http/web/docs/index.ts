import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import type { CommandReference } from '../../../model/command-reference.ts'
import type { ListedTool } from '../../../model/mcp/tools.ts'
import { loadOnce } from '../../../platform/load-once.ts'
import { takeTurn } from '../../../platform/turns.ts'
import type { Assets } from '../../kit/assets.ts'
import type { Compressor } from '../../kit/compressor.ts'
import { documentHeaders } from '../../kit/headers.ts'
import { createInlineScripts } from '../../kit/inline-scripts.ts'
import type { OpenApiDocument } from '../../kit/openapi-document.ts'
import { documentResponse } from '../../kit/response.ts'
import { llmsFullTxt, llmsTxt } from './llms/llms.ts'
import { type LayoutOptions, renderDocument, renderPage } from './site/layout.ts'
import { searchEntries } from './site/search-entries.ts'
import { searchResults } from './site/search-page.ts'
import { buildSite } from './site/site.ts'
import { staticText } from './site/static-text.ts'

export { publishCommand } from './examples/publish-command.ts'

export interface DocsDeps {
  /** The OpenAPI document of the REST API. Only the first call builds it. */
  openApi(): Promise<OpenApiDocument>
  tools(): ListedTool[]
  commandReference(): Promise<CommandReference>
  assets: Assets
  compressor: Compressor
  baseUrl: string
}

/** Browsers ask each time whether a page has changed: a new version of the server has new text. */
const REVALIDATED = { 'cache-control': 'no-cache' }
/** Scripts of any site may read what is for programs: it is public and the same for everybody. */
const PUBLIC = { 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' }

/** The documentation: for people, for programs and for language models. */
export function docsRoutes(deps: DocsDeps): Hono {
  const { openApi, compressor, baseUrl } = deps
  // The same for everybody, and without a secret.
  const kept = (request: Request, response: Response) =>
    compressor.respond(request, response, { isKept: true })
  const routes = new Hono()
  /** The first request builds all pages, so that a start does not wait for them. */
  const docs = loadOnce(() => buildDocs(deps))

  routes.get('/docs/search.json', async ({ req }) => (await docs()).index(req.raw))
  routes.get('/docs/search', async ({ req }) => {
    const { search } = await docs()
    return search(req.raw, req.query('q') ?? '')
  })
  routes.on('GET', ['/docs', '/docs/*'], async ({ req }, next) => {
    const { pages } = await docs()
    const page = pages.get(req.path)
    if (page !== undefined) return page(req.raw)
    const path = req.path.replace(/\/+$/, '')
    if (!pages.has(path)) return next()
    return new Response(null, { status: 301, headers: { location: path } })
  })
  routes.get('/openapi.json', async ({ req }) =>
    kept(req.raw, Response.json(await openApi(), { headers: PUBLIC })),
  )
  routes.get('/llms.txt', async ({ req }) => {
    const { guides } = await docs()
    return kept(req.raw, markdownResponse(llmsTxt(await openApi(), { baseUrl, guides })))
  })
  routes.get('/llms-full.txt', async ({ req }) =>
    kept(req.raw, markdownResponse(llmsFullTxt(await openApi(), baseUrl))),
  )
  return routes
}

async function buildDocs({ openApi, tools, commandReference, assets, baseUrl }: DocsDeps) {
  const script = await createInlineScripts(assets).text('docs.js')
  const csp = docsCsp(script)
  const options: LayoutOptions = { assets, csp, script }
  await takeTurn()
  const commands = await commandReference()
  const described = await openApi()
  await takeTurn()
  const listed = tools()
  const site = await buildSite({ openApi: described, tools: listed, commands, baseUrl })
  const pages = new Map<string, ReturnType<typeof staticText>>()
  const headers = { ...documentHeaders(csp), ...REVALIDATED }
  for (const page of site.pages) {
    await takeTurn()
    pages.set(page.path, staticText(renderPage(site, page, options), headers))
  }
  await takeTurn()
  const entries = searchEntries(site.pages)
  const json = { 'content-type': 'application/json', ...PUBLIC, ...REVALIDATED }
  return {
    guides: site.groups[0]?.pages ?? [],
    pages,
    index: staticText(JSON.stringify(entries), json),
    search(request: Request, query: string): Response {
      const main = searchResults(entries, query)
      const parts = { path: '/docs/search', title: 'Search', main, query, ...options }
      return documentResponse(request, { csp, body: renderDocument(site, parts) })
    },
  }
}

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

function markdownResponse(text: string): Response {
  const headers = { 'content-type': 'text/markdown; charset=utf-8', ...PUBLIC }
  return new Response(text, { headers })
}
