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

export function buildSite({ openApi, tools, commands, baseUrl }: SiteSources): Site {
  const server = openApi.servers?.[0]?.url ?? baseUrl
  const groups = [
    {
      title: 'Guides',
      pages: [
        startPage(openApi, { baseUrl, server }),
        guidePage(openApi),
        markdownPage('/docs/forms', forms, baseUrl),
        markdownPage('/docs/comments', comments, baseUrl),
        markdownPage('/docs/approvals', approvals, baseUrl),
        markdownPage('/docs/polls', polls, baseUrl),
        markdownPage('/docs/analytics', analytics, baseUrl),
        markdownPage('/docs/accounts', accounts, baseUrl),
        mcpPage(tools, baseUrl),
        cliPage(commands, baseUrl),
        markdownPage('/docs/self-hosting', selfHosting, baseUrl),
        markdownPage('/docs/own-origins', ownOrigins, baseUrl),
        configurationPage(),
      ],
    },
    {
      title: 'Reference',
      pages: [
        overviewPage(openApi, server),
        ...groupEndpoints(openApi).map((group) => groupPage(openApi, group, server)),
        objectsPage(openApi),
        errorsPage(openApi),
      ],
    },
  ]
  return { groups, pages: groups.flatMap(({ pages }) => pages) }
}
