import type { CommandReference, DescribedCommand, DescribedOption } from '../../cli/reference.ts'
import cliGuide from '../../docs/cli.md' with { type: 'text' }
import configurationGuide from '../../docs/configuration.md' with { type: 'text' }
import mcpGuide from '../../docs/mcp.md' with { type: 'text' }
import { SERVER_URL } from '../../src/http/kit/placeholders.ts'
import { type Html, html } from '../../src/model/html.ts'
import type { ListedTool } from '../../src/model/mcp/tools.ts'
import { describeVariables } from '../../src/platform/config-docs.ts'
import { responseExample } from './examples.ts'
import {
  chapterSections,
  codeBlock,
  type DocsPage,
  plainText,
  renderInline,
  renderMarkdown,
  type Sample,
  type Section,
  samples,
  splitChapters,
} from './markup.ts'
import {
  type Endpoint,
  groupEndpoints,
  MCP_PATH,
  type OpenApiDocument,
  operationAddress,
  type SchemaObject,
  toolAnchor,
} from './openapi.ts'
import { requestSamples } from './samples.ts'
import { memberList } from './schema.ts'

/** The host of the examples in docs/. The documentation of a server has its own address there. */
const EXAMPLE_URL = 'https://pages.example.com'

/** Makes a page of a guide in docs/. Its first heading is the title, then comes the lead. */
export function markdownPage(path: string, source: string, serverUrl = SERVER_URL): DocsPage {
  const text = source
    .replace(/<!--[\s\S]*?-->\s*/g, '')
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
    sections: chapterSections(chapters),
  }
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
  const { intro: _, ...page } = markdownPage('/docs/configuration', configurationGuide, EXAMPLE_URL)
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
  const page = markdownPage('/docs/cli', cliGuide)
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
  ({ title, commands: listed }) => html`<h3>${title}</h3>
<ul class="commands">${listed.map(
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
  return `command-${command}`
}

/** The help of the command line starts in lower case and ends without a full stop. */
function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.:]$/.test(start) ? start : `${start}.`
}

/** docs/mcp.md, with the parameters of each tool. */
export function mcpPage(tools: readonly ListedTool[]): DocsPage {
  const page = markdownPage(MCP_PATH, mcpGuide)
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

/** The first page of the documentation: from an API key to a page that is changed and answered. */
export function startPage(document: OpenApiDocument): DocsPage {
  const endpoints = groupEndpoints(document).flatMap((group) => group.endpoints)
  const named = (name: string) => endpoints.find(({ id }) => id === name)
  const [create, edit, responses] = ['createPage', 'editHtml', 'listResponses'].map(named)
  return {
    path: '/docs',
    title: 'Start here',
    lead: html`Publish HTML pages, decks, PDFs and images at links you control, and read what
viewers answer. It takes a key and one request.`,
    sections: [
      keySection(),
      ...(create ? [publishSection(document, create)] : []),
      ...(edit ? [changeSection(document, edit)] : []),
      ...(responses ? [answersSection(document, responses)] : []),
      { id: 'next', title: 'Where next', body: NEXT },
    ],
  }
}

function keySection(): Section {
  return {
    id: 'key',
    title: '1. Make an API key',
    body: html`<p><a href="/app/developer">Sign in and make a key</a>; or, where the server runs,
<code>bin/handbill key create you@example.com</code>. Keep it in the environment: the examples here,
the command line and agents take it from there.</p>
${codeBlock({ language: 'shell', code: 'export HANDBILL_API_KEY=sm_…' })}`,
  }
}

function publishSection(document: OpenApiDocument, create: Endpoint): Section {
  return {
    id: 'publish',
    title: '2. Publish a page',
    body: html`${samples('publish', [...requestSamples(document, create), ...TOOL_SAMPLES])}
<p>The answer is the page, with these members and all its settings. Its <code>url</code> is
live: send it to somebody. Store the <code>id</code>, to change the same page later.</p>
${codeBlock({ language: 'json', code: shortAnswer(document, create) }, { title: 'Answer' })}
<p>In place of <code>html</code>, a page can come from an address, several files or a PDF:
<a href="/docs/guide#content">Content</a>. Who may open it is a setting:
<a href="/docs/guide#access-and-settings">Access and settings</a>.</p>`,
  }
}

const FIRST_MEMBERS = ['id', 'url', 'title', 'access', 'is_published']

/** The answer with the members that a beginner needs first. */
function shortAnswer(document: OpenApiDocument, { operation }: Endpoint): string {
  const answer = JSON.parse(responseExample(document, operation) ?? '{}') as { data?: object }
  const members = Object.entries(answer.data ?? {})
  const first = members.filter(([name]) => FIRST_MEMBERS.includes(name))
  return JSON.stringify({ data: Object.fromEntries(first) }, null, 2)
}

const TOOL_SAMPLES: Sample[] = [
  {
    language: 'cli',
    code: `echo "$HANDBILL_API_KEY" | handbill login ${SERVER_URL} --key -
handbill publish hello.html`,
  },
  {
    language: 'mcp',
    code: `claude mcp add --transport http handbill ${SERVER_URL}/mcp \\
  --header "Authorization: Bearer $HANDBILL_API_KEY"

# Then ask: "Publish hello.html and give me the link."`,
  },
]

function changeSection(document: OpenApiDocument, edit: Endpoint): Section {
  const cli = 'handbill edit hello.html --find Hello --replace "Good day" --publish'
  return {
    id: 'change',
    title: '3. Change it',
    body: html`<p>The link stays the same. An edit changes the draft; visitors see it once it is
published, with <code>"publish": true</code> here or in a request of its own.</p>
${samples('change', [...requestSamples(document, edit), { language: 'cli', code: cli }])}
<p>More: <a href="${operationAddress(edit)}">Editing HTML</a>,
<a href="/docs/guide#drafts-and-publishing">Drafts and publishing</a>.</p>`,
  }
}

const FORM = `<form data-service data-success="Thank you.">
  <label>Name <input name="name" required></label>
  <button>Send</button>
</form>`

function answersSection(document: OpenApiDocument, responses: Endpoint): Section {
  const cli = 'handbill responses hello.html --csv > responses.csv'
  return {
    id: 'answers',
    title: '4. Read what viewers answer',
    body: html`<p>A form with <code>data-service</code> collects answers. It needs no address,
no key and no script.</p>
${codeBlock({ language: 'html', code: FORM })}
<p>Read them as JSON with a summary, or as CSV:</p>
${samples('answers', [...requestSamples(document, responses), { language: 'cli', code: cli }])}
<p>More: <a href="/docs/forms">Forms and responses</a>.</p>`,
  }
}

const NEXT: Html = html`<ul class="next">
<li><a href="/docs/guide">How pages work</a> Drafts, content, access, limits.</li>
<li><a href="/docs/cli">The command line</a> Publish files and folders from a shell.</li>
<li><a href="/docs/mcp">Agents</a> Connect Claude, Cursor and others over MCP.</li>
<li><a href="/docs/api">The API</a> Every operation, with examples to copy.</li>
<li><a href="/docs/errors">Errors</a> What each code means, and what to do.</li>
<li><a href="/docs/configuration">Configuration</a> Run a server of your own.</li>
</ul>`
