import type { ToolResult } from './results.ts'
import type { ListedTool } from './tools.ts'

/** Who answers, as `initialize` and `server/discover` tell it. */
export function serverInfo(version: string, baseUrl: string) {
  return { name: 'handbill', title: 'Handbill', version, websiteUrl: baseUrl }
}

/** Revisions before it let one request hold any number of messages: those are not spoken. */
const OLDEST_REVISION = '2025-06-18'
/** For clients that cache: the tools change with a new version of Handbill alone. */
const CACHE_HINT = { ttlMs: 5 * 60_000, cacheScope: 'private' } as const

/** @param versions the revisions of the protocol that whoever carries the messages knows */
export function serverOptions(baseUrl: string, versions: readonly string[]) {
  return {
    capabilities: { tools: {} },
    instructions: instructions(baseUrl),
    supportedProtocolVersions: versions.filter((version) => version >= OLDEST_REVISION),
    cacheHints: { 'tools/list': CACHE_HINT, 'server/discover': CACHE_HINT },
  }
}

/** What a server of these tools answers, whatever brings it the requests. */
export function toolHandlers<T extends { listed: ListedTool }>(
  tools: ReadonlyMap<string, T>,
  call: (tool: T, given: Record<string, unknown>) => Promise<ToolResult>,
) {
  return {
    list: () => ({ tools: Array.from(tools.values(), ({ listed }) => listed) }),
    async call({
      params,
    }: {
      params: { name: string; arguments?: Record<string, unknown> | undefined }
    }) {
      const tool = tools.get(params.name)
      if (tool === undefined) throw new UnknownTool()
      return call(tool, params.arguments ?? {})
    },
  }
}

/** Not an answer of a tool but a fault of the request: JSON-RPC's invalid params. */
class UnknownTool extends Error {
  readonly code = -32_602
  constructor() {
    super('There is no such tool: tools/list names those that there are.')
  }
}

/** How to work with Handbill, told to every model that is given the tools. */
function instructions(baseUrl: string): string {
  return `Handbill publishes HTML pages, decks, PDFs and images at links the user controls.
1. New content: publish_page or publish_file. Give the user the url that is answered.
2. A page that exists keeps its link: change it with edit_page or update_page, do not publish anew.
3. To change a few words: get_page_html, then edit_page with publish true.
4. Content that edit_page or update_page changes is a draft: visitors see it after publish.
5. page_id takes an id, a slug or a link, such as ${baseUrl}/p/launch-plan.
6. Whoever has the link can open a page, unless access says otherwise: ask where it is sensitive.
7. Send nothing large as an argument, where it is cut short, but as html_url or file_url, or upload:
   curl -H "Authorization: Bearer $HANDBILL_API_KEY" --data-binary @FILE ${baseUrl}/api/v1/uploads
   and pass the id it answers as html_upload or file_upload.
8. A page holds its styles and scripts itself; a deck brings its files and assets along.
9. A form of the page, <form data-service>, collects responses: get_responses reads them.
10. Where others may write too, send the etag you read as if_match. restore_version undoes edits.`
}
