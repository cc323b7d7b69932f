import accounts from '../../../../../docs/accounts.md' with { type: 'text' }
import analytics from '../../../../../docs/analytics.md' with { type: 'text' }
import approvals from '../../../../../docs/approvals.md' with { type: 'text' }
import comments from '../../../../../docs/comments.md' with { type: 'text' }
import forms from '../../../../../docs/forms.md' with { type: 'text' }
import ownOrigins from '../../../../../docs/own-origins.md' with { type: 'text' }
import polls from '../../../../../docs/polls.md' with { type: 'text' }
import selfHosting from '../../../../../docs/self-hosting.md' with { type: 'text' }
import type { CommandReference } from '../../../../model/command-reference.ts'
import type { ListedTool } from '../../../../model/mcp/tools.ts'
import { takeTurn } from '../../../../platform/turns.ts'
import type { OpenApiDocument } from '../../../kit/openapi-document.ts'
import { errorsPage } from '../api/errors-page.ts'
import { groupPage, objectsPage } from '../api/group-page.ts'
import { overviewPage } from '../api/overview-page.ts'
import { cliPage } from '../guides/cli-page.ts'
import { configurationPage } from '../guides/configuration-page.ts'
import { guidePage } from '../guides/guide-page.ts'
import { markdownPage } from '../guides/markdown-page.ts'
import { mcpPage } from '../guides/mcp-page.ts'
import { startPage } from '../guides/start-page.ts'
import type { DocsPage } from '../markup/page.ts'
import { groupEndpoints } from '../openapi/document.ts'

/** The sources of the documentation. */
export interface SiteSources {
  openApi: OpenApiDocument
  tools: readonly ListedTool[]
  commands: CommandReference
  baseUrl: string
}

/** The pages in the order in which they are read. */
export interface Site {
  groups: { title: string; pages: DocsPage[] }[]
  /** All pages of all groups. */
  pages: DocsPage[]
}

/** Each page is made in a turn of its own: all at once would hold up others. */
export async function buildSite(sources: SiteSources): Promise<Site> {
  const { openApi, tools, commands, baseUrl } = sources
  const server = openApi.servers?.[0]?.url ?? baseUrl
  const guide = (path: string, text: string) => () => markdownPage(path, text, baseUrl)
  const groups = [
    await groupOf('Guides', [
      () => startPage(openApi, { baseUrl, server }),
      () => guidePage(openApi),
      guide('/docs/forms', forms),
      guide('/docs/comments', comments),
      guide('/docs/approvals', approvals),
      guide('/docs/polls', polls),
      guide('/docs/analytics', analytics),
      guide('/docs/accounts', accounts),
      () => mcpPage(tools, baseUrl),
      () => cliPage(commands, baseUrl),
      guide('/docs/self-hosting', selfHosting),
      guide('/docs/own-origins', ownOrigins),
      configurationPage,
    ]),
    await groupOf('Reference', [
      () => overviewPage(openApi, server),
      ...groupEndpoints(openApi).map((group) => () => groupPage(openApi, group, server)),
      () => objectsPage(openApi),
      () => errorsPage(openApi),
    ]),
  ]
  return { groups, pages: groups.flatMap(({ pages }) => pages) }
}

async function groupOf(title: string, makers: readonly (() => DocsPage)[]) {
  const pages: DocsPage[] = []
  for (const make of makers) {
    await takeTurn()
    pages.push(make())
  }
  return { title, pages }
}
