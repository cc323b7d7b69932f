import { readFileSync } from 'node:fs'
import type { CommandReference, DescribedCommand, DescribedOption } from '../../cli/reference.ts'
import { type Html, html } from '../../src/model/html.ts'
import type { ListedTool } from '../../src/model/mcp/tools.ts'
import { SERVER_URL } from '../../src/model/site.ts'
import { describeVariables } from '../../src/platform/config-docs.ts'
import { responseExample } from './examples.ts'
import {
  chapterSections,
  codeBlock,
  type DocsPage,
  plainText,
  renderInline,
  renderMarkdown,
  type Section,
  samples,
  splitChapters,
} from './markup.ts'
import {
  type Endpoint,
  groupEndpoints,
  type OpenApiDocument,
  type SchemaObject,
  toolAnchor,
} from './openapi.ts'
import { requestSamples } from './samples.ts'
import { memberList } from './schema.ts'

/** The host of the examples in docs/. The documentation of a server has its own address there. */
const EXAMPLE_URL = 'https://pages.example.com'

function readGuide(name: string): string {
  return readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
}

interface GuideOptions {
  serverUrl?: string
  render?: (chapter: string) => Html
}

/** Makes a page of a guide in docs/. Its first heading is the title, then comes the lead. */
function markdownPage(path: string, source: string, options: GuideOptions = {}): DocsPage {
  const { serverUrl = SERVER_URL, render } = options
  const text = source
    .replace(/<!-- (?!samples|answer)[\s\S]*?-->\s*/g, '')
    .replaceAll(EXAMPLE_URL, serverUrl)
    .replace(/\]\(([\w-]+)\.md/g, '](/docs/$1')
  const { intro, chapters } = splitChapters(text)
  const [, title = '', lead = '', rest] =
    /^# (.+)\n\s*([\s\S]+?)(?:\n\n([\s\S]*))?$/.exec(intro) ?? []
  return {
    path,
    title,
    lead: renderInline(lead),
    intro: renderMarkdown(rest),
    sections: chapterSections(chapters, render),
  }
}

/** The page of docs/{name}.md. */
export function guideFile(name: string): DocsPage {
  return markdownPage(`/docs/${name}`, readGuide(name))
}

/** The chapters of the API’s description: drafts, content, access, editing, forms, limits. */
export function guidePage(document: OpenApiDocument): DocsPage {
  const { chapters } = splitChapters(document.info.description)
  return {
    path: '/docs/guide',
    title: 'How pages work',
    lead: html`Drafts and publishing, what a page can contain, who may open it, and the limits.`,
    sections: chapterSections(chapters),
  }
}

/** docs/configuration.md, with a list in place of its wide table. */
export function configurationPage(): DocsPage {
  const { intro: _, ...page } = markdownPage('/docs/configuration', readGuide('configuration'), {
    serverUrl: EXAMPLE_URL,
  })
  return { ...page, sections: [variablesSection(), ...page.sections] }
}

function variablesSection(): Section {
  const variables = describeVariables()
  return {
    id: 'settings',
    title: 'Settings',
    searchText: '',
    body: html`<dl class="members">${variables.map(
      ({ name, fallback, meaning }) => html`
<div id="${name}"><dt><code class="name"><a href="#${name}">${name}</a></code></dt>
<dd><p>${renderInline(meaning)}</p>
<p class="limits">Default: ${renderInline(fallback)}</p></dd></div>`,
    )}
</dl>`,
    entries: variables.map(({ name, meaning }) => ({
      id: name,
      title: name,
      text: plainText(renderInline(meaning)),
    })),
  }
}

const PAGE_HELP =
  '`PAGE` is an id, a slug, a link, or the path that was published. Every command also takes ' +
  '`--json` and `--help`.'
const SETTINGS_ID = 'options-for-settings'

/** docs/cli.md, with each command as its own help describes it in place of the table. */
export function cliPage(reference: CommandReference): DocsPage {
  const page = guideFile('cli')
  const sections = page.sections.flatMap((section) => {
    if (section.id === 'commands') return [commandsSection(reference)]
    return section.id === 'settings' ? [section, settingsSection(reference)] : [section]
  })
  return { ...page, sections }
}

function commandsSection({ groups }: CommandReference): Section {
  const commands = groups.flatMap((group) => group.commands)
  return {
    id: 'commands',
    title: 'Commands',
    searchText: '',
    body: html`${renderMarkdown(PAGE_HELP)}
${groups.map(
  ({ title, commands: entries }) => html`<h3>${title}</h3>
<ul class="commands">${entries.map(
    ({ name, args, summary }) => html`
<li><a href="#${commandAnchor(name)}"><code>${name} ${args}</code></a> ${summary}</li>`,
  )}
</ul>`,
)}`,
    sections: commands.map(commandSection),
  }
}

function commandSection(command: DescribedCommand): Section {
  const { name, aliases, args, summary, hasSettings } = command
  const example = command.example.replace(EXAMPLE_URL, SERVER_URL)
  const options = command.options.filter(({ spelling }) => spelling !== '--json')
  return {
    id: commandAnchor(name),
    title: name,
    body: html`<p>${sentence(summary)}${
      aliases.length > 0 && html` Also <code>${aliases.join(', ')}</code>.`
    }</p>
${codeBlock({ language: 'cli', code: example }, { title: `handbill ${name} ${args}`.trim() })}
${options.length > 0 && optionList(options)}
${hasSettings && html`<p>And <a href="#${SETTINGS_ID}">every setting of a page</a>.</p>`}`,
  }
}

function settingsSection({ settings }: CommandReference): Section {
  return {
    id: SETTINGS_ID,
    title: 'Options for settings',
    body: html`<p><code>publish</code> and <code>update</code> take these. An empty value,
<code>''</code>, clears a setting that can be empty.</p>
${optionList(settings)}`,
  }
}

function optionList(options: readonly DescribedOption[]): Html {
  return html`<dl class="members">${options.map(
    ({ spelling, help }) => html`
<div><dt><code class="name">${spelling}</code></dt>
<dd><p>${renderInline(sentence(help))}</p></dd></div>`,
  )}
</dl>`
}

function commandAnchor(command: string): string {
  return `command-${command.replace(' ', '-')}`
}

/** The help of the command line starts in lower case and ends without a full stop. */
function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.:]$/.test(start) ? start : `${start}.`
}

/** docs/mcp.md, with the parameters of each tool. */
export function mcpPage(tools: readonly ListedTool[]): DocsPage {
  const page = guideFile('mcp')
  const parameters: Section = {
    id: 'parameters',
    title: 'The tools in detail',
    body: html`<p>The description of each tool in <code>tools/list</code>.</p>`,
    sections: tools.map(toolSection),
  }
  return { ...page, sections: [...page.sections, parameters] }
}

function toolSection(tool: ListedTool): Section {
  const { name, inputSchema, annotations } = tool
  const description = tool.description.replaceAll(EXAMPLE_URL, SERVER_URL)
  const members = memberList(inputSchema as SchemaObject, 'request')
  return {
    id: toolAnchor(name),
    title: name,
    className: 'tool',
    // The parameters are those of the operation, which is found by them.
    searchText: description,
    body: html`<p class="limits">${kindOf(annotations)}</p>
${describedTool(description)}
${members && html`<details><summary>Parameters</summary>${members}</details>`}`,
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

function kindOf({ readOnlyHint, destructiveHint }: ListedTool['annotations'] = {}): string {
  if (readOnlyHint) return 'Only reads.'
  return destructiveHint === false ? 'Adds something new.' : 'Changes or deletes what is there.'
}

/** docs/start.md, with the requests and the answer of the operations that it names. */
export function startPage(document: OpenApiDocument): DocsPage {
  const endpoints = groupEndpoints(document).flatMap((group) => group.endpoints)
  const fill = (part: string): Html => {
    const [, what, name, own = ''] = PLACEHOLDER.exec(part) ?? []
    const endpoint = endpoints.find(({ id }) => id === name)
    if (what === undefined) return renderMarkdown(part)
    if (endpoint === undefined) return html``
    if (what === 'answer') {
      const code = shortAnswer(document, endpoint)
      return codeBlock({ language: 'json', code }, { title: 'Answer' })
    }
    const ownSamples = [...own.matchAll(FENCED)].map(([, language = '', code = '']) => ({
      language,
      code,
    }))
    return samples(endpoint.id, [...requestSamples(document, endpoint), ...ownSamples])
  }
  const render = (text: string) => html`${text.split(PLACEHOLDERS).map(fill)}`
  return markdownPage('/docs', readGuide('start'), { render })
}

/** `samples of createPage, and` before code of other languages, or `answer of createPage`. */
const PLACEHOLDERS = /(<!-- (?:samples|answer) of [\s\S]*?-->\n(?:```\w+\n[\s\S]*?\n```\n)*)/
const PLACEHOLDER = /^<!-- (samples|answer) of (\w+).*-->\n([\s\S]*)/
const FENCED = /```(\w+)\n([\s\S]*?)\n```/g

const FIRST_MEMBERS = ['id', 'url', 'title', 'access', 'is_published']

/** The answer with the members that a beginner needs first. */
function shortAnswer(document: OpenApiDocument, { operation }: Endpoint): string {
  const answer = JSON.parse(responseExample(document, operation) ?? '{}') as { data?: object }
  const members = Object.entries(answer.data ?? {})
  const first = members.filter(([name]) => FIRST_MEMBERS.includes(name))
  return JSON.stringify({ data: Object.fromEntries(first) }, null, 2)
}
