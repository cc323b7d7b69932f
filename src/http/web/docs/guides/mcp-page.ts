import mcpGuide from '../../../../../docs/mcp.md' with { type: 'text' }
import { type Html, html } from '../../../../model/html.ts'
import type { ListedTool } from '../../../../model/mcp/tools.ts'
import { MCP_PATH, toolAnchor } from '../api/addresses.ts'
import { memberList } from '../api/schema.ts'
import { codeBlock } from '../markup/code.ts'
import { renderMarkdown } from '../markup/markdown.ts'
import type { DocsPage, Section } from '../markup/page.ts'
import type { SchemaObject } from '../openapi/document.ts'
import { EXAMPLE_URL, markdownPage } from './markdown-page.ts'

/** docs/mcp.md, with the parameters of each tool. */
export function mcpPage(tools: readonly ListedTool[], baseUrl: string): DocsPage {
  const page = markdownPage(MCP_PATH, mcpGuide, baseUrl)
  const parameters: Section = {
    id: 'parameters',
    title: 'The tools in detail',
    body: html`<p>The description of each tool in <code>tools/list</code>.</p>`,
    sections: tools.map((tool) => toolSection(tool, baseUrl)),
  }
  return { ...page, sections: [...page.sections, parameters] }
}

function toolSection(tool: ListedTool, baseUrl: string): Section {
  const { name, inputSchema, annotations } = tool
  const description = tool.description.replaceAll(EXAMPLE_URL, baseUrl)
  const members = memberList(inputSchema as SchemaObject, 'request')
  return {
    id: toolAnchor(name),
    title: name,
    className: 'tool',
    // The parameters are those of the operation, which is found by them.
    searchText: description,
    body: html`<p class="limits">${kindOf(annotations)}</p>
${describedTool(description)}
${members && foldedMembers(members)}`,
  }
}

/** A description ends with an example for models, which stands in the text as JSON. */
function describedTool(description: string): Html {
  const [, before, example, after = ''] =
    /^(.*?) Example: (\{.*?\})\.(?: (.*))?$/s.exec(description) ?? []
  if (before === undefined || example === undefined) return renderMarkdown(description)
  const code = { language: 'json', code: example }
  return html`${renderMarkdown(`${before} ${after}`)}
${codeBlock(code, { title: 'Example of its arguments' })}`
}

function foldedMembers(members: Html): Html {
  return html`<details><summary>Parameters</summary>${members}</details>`
}

function kindOf({ readOnlyHint, destructiveHint }: ListedTool['annotations']): string {
  if (readOnlyHint) return 'Only reads.'
  return destructiveHint ? 'Changes or deletes what is there.' : 'Adds something new.'
}
