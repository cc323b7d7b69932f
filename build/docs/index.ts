import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandReference } from '../../cli/reference.ts'
import { openRuntime } from '../../src/commands/runtime.ts'
import type { Assets } from '../../src/http/kit/assets.ts'
import { openapi } from '../../src/http/rest/openapi.ts'
import { docsCsp, docsFile, SEARCH_TEMPLATE } from '../../src/http/web/docs.ts'
import { rawHtml } from '../../src/model/html.ts'
import { listTools } from '../../src/model/mcp/tools.ts'
import type { Contract } from '../../src/model/operation.ts'
import { readConfig } from '../../src/platform/config.ts'
import { llmsFullTxt, llmsTxt } from './llms.ts'
import { buildSite, renderDocument, renderPage, type SiteSources, searchEntries } from './site.ts'

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
