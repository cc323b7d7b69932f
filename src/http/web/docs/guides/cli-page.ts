import cliGuide from '../../../../../docs/cli.md' with { type: 'text' }
import type {
  CommandReference,
  DescribedCommand,
  DescribedOption,
} from '../../../../model/command-reference.ts'
import { type Html, html } from '../../../../model/html.ts'
import { codeBlock } from '../markup/code.ts'
import { renderInline, renderMarkdown } from '../markup/markdown.ts'
import type { DocsPage, Section } from '../markup/page.ts'
import { EXAMPLE_URL, markdownPage } from './markdown-page.ts'

const PAGE_HELP =
  '`PAGE` is an id, a slug, a link, or the path that was published. Every command also takes ' +
  '`--json` and `--help`.'
const SETTINGS_ID = 'options-for-settings'

/** docs/cli.md, with each command as its own help describes it in place of the table. */
export function cliPage(reference: CommandReference, baseUrl: string): DocsPage {
  const page = markdownPage('/docs/cli', cliGuide, baseUrl)
  const sections = page.sections.flatMap((section) => {
    if (section.id === 'commands') return [commandsSection(reference, baseUrl)]
    return section.id === 'settings' ? [section, settingsSection(reference)] : [section]
  })
  return { ...page, sections }
}

function commandsSection({ groups }: CommandReference, baseUrl: string): Section {
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
<li><a href="#${anchorOf(name)}"><code>${name} ${args}</code></a> ${summary}</li>`,
  )}
</ul>`,
)}`,
    sections: commands.map((command) => commandSection(command, baseUrl)),
  }
}

function commandSection(command: DescribedCommand, baseUrl: string): Section {
  const { name, aliases, args, summary, hasSettings } = command
  const example = command.example.replace(EXAMPLE_URL, baseUrl)
  const options = command.options.filter(({ spelling }) => spelling !== '--json')
  return {
    id: anchorOf(name),
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

function anchorOf(command: string): string {
  return `command-${command}`
}

/** The help of the command line starts in lower case and ends without a full stop. */
function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.:]$/.test(start) ? start : `${start}.`
}
