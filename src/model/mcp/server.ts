import type { ToolResult } from './results.ts'
import type { ListedTool } from './tools.ts'

/** Who answers, as `initialize` and `server/discover` tell it. */
export function serverInfo(version: string, base_url: string) {
  return { name: 'handbill', title: 'Handbill', version, websiteUrl: base_url }
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
export function instructions(base_url: string): string {
  return `Handbill publishes HTML pages, decks, PDFs and images at links the user controls.
1. New content: publish_page or publish_file. Give the user the url of the answer.
2. A page that exists keeps its link: never publish it anew, change it with edit_page or update_page.
3. To change a few words: get_page_html, then edit_page with publish true.
4. edit_page and update_page's content change the draft only; visitors see it after publish.
5. page_id takes an id, a slug or a link, such as ${base_url}/p/launch-plan/slides.html.
6. Pages are open to everyone with the link unless access says otherwise: ask if it is sensitive.
7. Large content never as an argument: it arrives cut short. Give html_url or file_url, or upload it:
   curl -H "Authorization: Bearer $HANDBILL_API_KEY" --data-binary @FILE ${base_url}/api/v1/uploads
   and pass the id it answers as html_upload or file_upload.
8. A page must be self-contained: inline its styles and scripts, or send a deck's files and assets.
9. Forms marked <form data-service> collect responses: get_responses reads them.
10. Every edit is a version: restore_version undoes it. A refusal says what to do; do that, or ask.`
}
