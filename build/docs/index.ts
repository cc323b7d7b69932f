import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandReference, commandReference } from '../../cli/reference.ts'
import { openRuntime } from '../../src/commands/runtime.ts'
import type { Assets } from '../../src/http/kit/assets.ts'
import { documentPage } from '../../src/http/kit/document.ts'
import { openapi } from '../../src/http/rest/openapi.ts'
import { docsCsp, docsFile, SEARCH_TEMPLATE } from '../../src/http/web/docs.ts'
import type { SearchEntry } from '../../src/model/docs-search.ts'
import { type Html, html, rawHtml } from '../../src/model/html.ts'
import { type ListedTool, listTools } from '../../src/model/mcp/tools.ts'
import type { Contract } from '../../src/model/operation.ts'
import { readConfig } from '../../src/platform/config.ts'
import { cliPage, configurationPage, guideFile, guidePage, mcpPage, startPage } from './guides.ts'
import { llmsFullTxt, llmsTxt } from './llms.ts'
import { type DocsPage, plainText, renderSections, type Section } from './markup.ts'
import { groupEndpoints, type OpenApiDocument } from './openapi.ts'
import { errorsPage, groupPage, objectsPage, overviewPage } from './reference.ts'

const SKILL = join(import.meta.dir, '../../skills/handbill/SKILL.md')

type BuiltAssets = Pick<Assets, 'url' | 'text'>

/** Renders the documentation, with placeholders for what differs between servers. */
export async function renderDocs(assets: BuiltAssets): Promise<Map<string, string>> {
  const contracts = await apiContracts()
  const sources = {
    openApi: openapi(contracts),
    tools: listTools(contracts),
    commands: await commandReference(),
  }
  return renderFiles(sources, assets)
}

export function renderFiles(sources: SiteSources, assets: BuiltAssets): Map<string, string> {
  const { openApi } = sources
  const site = buildSite(sources)
  const script = assets.text('docs.js').trim()
  const options = { assets, script, csp: docsCsp(script) }
  const search = { path: '/docs/search', title: 'Search', query: '{{query}}' }
  const main = rawHtml('{{results}}')
  return new Map([
    ...site.pages.map((page) => [docsFile(page.path), renderPage(site, page, options)] as const),
    [SEARCH_TEMPLATE, renderDocument(site, { ...search, ...options, main })],
    ['docs/search.json', JSON.stringify(searchEntries(site.pages))],
    ['openapi.json', JSON.stringify(openApi)],
    ['llms.txt', llmsTxt(openApi, site.groups[0]!.pages)],
    ['llms-full.txt', llmsFullTxt(openApi)],
    ['skill.md', readFileSync(SKILL, 'utf8')],
  ])
}

/** The contracts of the API in the order of the reference, from a server without data. */
async function apiContracts(): Promise<Contract[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'handbill-docs-'))
  const runtime = await openRuntime(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }))
  try {
    return runtime.app.operations.map(({ contract }) => contract)
  } finally {
    await runtime.close()
    await rm(dataDir, { recursive: true })
  }
}

interface SiteSources {
  openApi: OpenApiDocument
  tools: readonly ListedTool[]
  commands: CommandReference
}

/** The pages in the order in which they are read. */
export function buildSite({ openApi, tools, commands }: SiteSources) {
  const guides = [
    guideFile('app'),
    startPage(openApi),
    guidePage(openApi),
    ...['forms', 'comments', 'approvals', 'polls', 'feedback', 'webhooks'].map(guideFile),
    ...['links', 'analytics', 'privacy', 'accounts'].map(guideFile),
    mcpPage(tools),
    cliPage(commands),
    guideFile('client'),
    guideFile('self-hosting'),
    guideFile('own-origins'),
    configurationPage(),
  ]
  const reference = [
    overviewPage(openApi),
    ...groupEndpoints(openApi).map((group) => groupPage(openApi, group)),
    objectsPage(openApi),
    errorsPage(openApi),
  ]
  const groups = [
    { title: 'Guides', pages: guides },
    { title: 'Reference', pages: reference },
  ]
  return { groups, pages: [...guides, ...reference] }
}
type Site = ReturnType<typeof buildSite>

interface LayoutOptions {
  assets: Pick<Assets, 'url'>
  csp: string
  script: string
}

/** Renders a page of the documentation with its navigation. Without its script it is complete. */
export function renderPage(site: Site, page: DocsPage, options: LayoutOptions): string {
  const { path, title, lead, intro, sections, isWide = false } = page
  const main = html`<h1>${title}</h1>
${lead && html`<p class="lead">${lead}</p>`}
${intro}
${renderSections(sections)}
${neighbours(site, page)}`
  return renderDocument(site, { path, title, main, ...options }, !isWide && onThisPage(page))
}

interface DocumentParts extends LayoutOptions {
  path: string
  title: string
  main: Html
  query?: string
}

function renderDocument(site: Site, parts: DocumentParts, rail?: Html | false): string {
  const { path, title, main, query, assets, csp, script } = parts
  const navigation = siteNavigation(site, path)
  return documentPage({
    title: documentTitle(path, title),
    csp,
    assets,
    head: html`<link rel="stylesheet" href="${assets.url('docs.css')}">`,
    body: html`<a class="skip" href="#page-text">Skip to the text</a>
<header class="bar">
<a class="wordmark" href="/docs">Handbill<span> docs</span></a>
${searchForm(query)}
<details class="menu"><summary>Menu</summary>
<nav aria-label="Documentation">${navigation}</nav>
</details>
<a class="app" href="/app">Your account</a>
</header>
<div class="page${!rail && ' wide'}">
<nav class="side" aria-label="Documentation">${navigation}</nav>
<main id="page-text" tabindex="-1">
${main}
${footer()}
</main>
${rail}
</div>
<script>${rawHtml(script)}</script>`,
  })
}

/** A guide and a group of operations can have the same title. */
function documentTitle(path: string, title: string): string {
  return [title, path.startsWith('/docs/api/') && 'API', 'Handbill documentation']
    .filter((name) => name !== false)
    .slice(path === '/docs' ? 1 : 0)
    .join(' · ')
}

function searchForm(query = ''): Html {
  return html`<search><form action="/docs/search" class="search">
<input type="search" name="q" value="${query}" placeholder="Search"
 aria-label="Search the documentation" autocomplete="off" autocapitalize="off"
 spellcheck="false" maxlength="100" aria-keyshortcuts="/">
<kbd aria-hidden="true">/</kbd>
</form></search>`
}

/** All pages, and the operations of the one that is shown. */
function siteNavigation({ groups }: Site, path: string): Html {
  return html`${groups.map(
    ({ title, pages }) => html`<h2>${title}</h2>
<ul>${pages.map((page) => pageLink(page, page.path === path))}
</ul>
`,
  )}`
}

function pageLink({ path, title, sections, isWide }: DocsPage, isCurrent: boolean): Html {
  if (!isCurrent) return html`\n<li><a href="${path}">${title}</a></li>`
  return html`
<li><a href="${path}" aria-current="page">${title}</a>${
    isWide &&
    html`<ul>${sections.map(
      (section) => html`
<li><a href="#${section.id}">${section.title.replace(/[,;:(].*$/, '').trim()}</a></li>`,
    )}</ul>`
  }</li>`
}

function onThisPage({ sections }: DocsPage): Html {
  return html`<nav class="rail" aria-label="On this page">
<h2>On this page</h2>
<ul>${sections.map(
    ({ id, title }) => html`
<li><a href="#${id}">${title}</a></li>`,
  )}
</ul>
</nav>`
}

function neighbours({ pages }: Site, page: DocsPage): Html {
  const at = pages.indexOf(page)
  const [previous, next] = [pages[at - 1], pages[at + 1]]
  return html`<nav class="neighbours" aria-label="Previous and next page">
${previous && neighbour('prev', 'Previous', previous)}
${next && neighbour('next', 'Next', next)}
</nav>`
}

function neighbour(rel: 'prev' | 'next', label: string, { path, title }: DocsPage): Html {
  return html`<a rel="${rel}" href="${path}"><span>${label}</span> ${title}</a>`
}

function footer(): Html {
  return html`<footer>For programs: <a href="/openapi.json">OpenAPI</a>. For language models:
<a href="/llms.txt">llms.txt</a>, <a href="/llms-full.txt">llms-full.txt</a>.</footer>`
}

/** An entry for each page, each section, and each part with an anchor of its own. */
export function searchEntries(pages: readonly DocsPage[]): SearchEntry[] {
  return pages.flatMap((page) => [
    {
      url: page.path,
      title: page.title,
      page: '',
      text: plainText(html`${page.lead} ${page.intro}`),
    },
    ...page.sections.flatMap((section) => sectionEntries(page, section)),
  ])
}

function sectionEntries(page: DocsPage, section: Section): SearchEntry[] {
  const { id, title, body, sections = [], entries = [] } = section
  const text = section.searchText ?? plainText(body)
  return [{ id, title, text }, ...entries]
    .map((entry) => ({
      url: `${page.path}#${entry.id}`,
      title: entry.title,
      page: page.title,
      text: entry.text,
    }))
    .concat(sections.flatMap((child) => sectionEntries(page, child)))
}
